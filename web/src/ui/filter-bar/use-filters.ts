import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { FilterValues } from './fields.ts'

/** Longer values are cut: no field takes more. */
const LONGEST = 200

/** The router reads 007 as a number. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, LONGEST) : ''

/** What an address sets of these fields. */
export const readFilters = (search: Record<string, unknown>, keys: readonly string[]): FilterValues =>
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

/**
 * What is set, kept in the address: a link, a reload and the browser's "back" open the same list. `keys` must be a stable
 * reference. `inPath`: values that the path names; when the filters change they move to the query of the address.
 */
export const useFilters = (keys: readonly string[], inPath: FilterValues = NOTHING): Filters => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = JSON.stringify({ ...inPath, ...readFilters(search, keys) })
  // The same object while the address does not change: pages compute their call from it.
  const values = useMemo((): FilterValues => JSON.parse(text) as FilterValues, [text])
  const [typed, setTyped] = useState({ from: values, texts: values })
  // Another address, such as by "back" or a view: what was typed before does not belong to it.
  if (typed.from !== values) setTyped({ from: values, texts: values })
  const names = Object.keys(inPath).join(',')
  const set = useCallback(
    (next: FilterValues) => {
      const params = Object.fromEntries(names.split(',').map((name) => [name, undefined]))
      void navigate({ to: '.', search: next, ...(names ? { params } : {}) } as never)
    },
    [navigate, names],
  )
  return {
    values,
    typed: typed.texts,
    setTyped: (texts) => setTyped({ from: values, texts }),
    set,
  }
}
