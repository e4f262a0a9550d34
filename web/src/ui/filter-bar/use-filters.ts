import { cutText } from '@tallyroom/contract/text/cut-text'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useDay } from '../../i18n/use-day.ts'
import type { FilterValues } from './fields.ts'
import { searchText } from './search-of.ts'

/** Longer values are cut: no field takes more. */
const LONGEST = 200

const textOf = (value: unknown) => cutText(searchText(value)?.trim() ?? '', LONGEST)

/** What an address sets of these fields. */
const readFilters = (search: Record<string, unknown>, keys: readonly string[]): FilterValues =>
  Object.fromEntries(keys.flatMap((key) => (textOf(search[key]) ? [[key, textOf(search[key])]] : [])))

export type Filters = {
  /** What the list shows, by the address. */
  values: FilterValues
  /** The same with what is being typed, for a list that filters the rows it has. */
  typed: FilterValues
  setTyped: (typed: FilterValues) => void
  /** Replaces all values. */
  set: (values: FilterValues) => void
}

const NOTHING: FilterValues = {}

/** `sent`: addresses that were asked for and have not come yet, each with what stood in the fields then. */
type Typed = { from: FilterValues; texts: FilterValues; sent: readonly { to: string; texts: FilterValues }[] }

/**
 * Merges what was typed meanwhile into the new address. The router changes it a moment after a search: what was typed then
 * stays. At another address, such as by "back", what was typed before does not belong to it.
 */
const arrived = ({ texts, sent }: Typed, values: FilterValues): Typed => {
  const at = sent.findIndex(({ to }) => to === JSON.stringify(values))
  const before = sent[at]?.texts ?? texts
  const since = Object.entries(texts).filter(([key, text]) => text !== (before[key] ?? ''))
  return { from: values, texts: { ...values, ...Object.fromEntries(since) }, sent: at < 0 ? [] : sent.slice(at + 1) }
}

/**
 * What is set, kept in the address: a link, a reload and the browser's "back" open the same list. `keys` must be a stable
 * reference. `inPath`: values that the path names; when the filters change they move to the query of the address.
 */
export const useFilters = (keys: readonly string[], inPath: FilterValues = NOTHING): Filters => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = JSON.stringify({ ...inPath, ...readFilters(search, keys) })
  const day = useDay()
  // The same object while address and day do not change: pages compute their call from it, with the days of "today".
  const values = useMemo((): FilterValues => JSON.parse(text) as FilterValues, [text, day])
  const [typed, setTyped] = useState<Typed>({ from: values, texts: values, sent: [] })
  if (typed.from !== values)
    setTyped(JSON.stringify(typed.from) === text ? { ...typed, from: values } : arrived(typed, values))
  const names = Object.keys(inPath).join(',')
  const set = useCallback(
    (next: FilterValues) => {
      const to = JSON.stringify(readFilters(next, keys))
      setTyped((now) => ({ ...now, sent: [...now.sent, { to, texts: now.texts }] }))
      const params = Object.fromEntries(names.split(',').map((name) => [name, undefined]))
      void navigate({ to: '.', search: next, ...(names ? { params } : {}) })
    },
    [navigate, names, keys],
  )
  return {
    values,
    typed: typed.texts,
    setTyped: (texts) => setTyped((now) => ({ ...now, texts })),
    set,
  }
}
