import { setStored, getStored } from '../../lib/storage.ts'
import type { Choice } from '../../ui/palette-source.ts'

const KEPT = 'palette'
const MAX_RECENT = 8

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'object' && value !== null && ['key', 'kind', 'title', 'href'].every((part) => part in value)

/** The latest choices of this session, newest first. */
export const recent = (): Choice[] => {
  try {
    const all: unknown = JSON.parse(getStored(KEPT) ?? '[]')
    return Array.isArray(all) ? all.filter(isChoice) : []
  } catch {
    return []
  }
}

export const remember = (choice: Choice) => {
  const others = recent().filter(({ key }) => key !== choice.key)
  setStored(KEPT, JSON.stringify([choice, ...others].slice(0, MAX_RECENT)))
}
