import type { Answer } from '@tallyroom/contract'
import type { AskedRight } from '@tallyroom/contract/asked-rights'
import { useCall } from './use-call.ts'

/** How long (ms) the menu is not loaded again. An event tells when rights have changed (RIGHT-01). */
export const MENU_FRESH = 5 * 60_000

type Page = Answer<'userMenu/list'>[number]
/** The pages of the user, and what the user may do there, as the server says it. */
export const useMenu = ({ enabled = true } = {}) => {
  const { data } = useCall('userMenu/list', {}, { enabled, staleTime: MENU_FRESH, meta: { optional: true } })
  return {
    /** Undefined until the server has answered. */
    pages: data,
    has: (url: string) => data?.some((page) => page.url === url) ?? false,
    /** The page that manages accounts of a role. */
    pageOf: (role: number) => data?.find(({ role_id }) => role_id === role),
    // While a new version starts, a copy of the one before may answer: its menu has no such list.
    may: (name: AskedRight) => data?.some(({ may }) => may?.includes(name)) ?? false,
  }
}

export const actionsOf = (page: Page | undefined): readonly string[] => page?.action.split(',') ?? []

/** Whether the server has said that the user may do this (CODE-04). False until it has answered. */
export const useMay = (name: AskedRight): boolean => useMenu().may(name)
