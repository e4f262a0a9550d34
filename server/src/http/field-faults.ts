import { MAX_PAGED_ROWS } from '@tallyroom/contract/limits'
import type { z } from 'zod'
import { unstorableField } from '../lib/stored-text.ts'

/** A field that is not as its schema says; `reason` in English, for programmers. */
export type FieldFault = { path: PropertyKey[]; reason: string }

/** Parses a body, or says of all fields what is wrong with them. */
export const checkFields = <T>(
  schema: z.ZodType<T>,
  body: Record<string, unknown>,
): { data: T } | { faults: [FieldFault, ...FieldFault[]] } => {
  const unstorable = unstorableField(body)
  if (unstorable !== undefined)
    return { faults: [{ path: unstorable.split('.'), reason: 'Too deep, or U+0000 or half a surrogate pair' }] }
  const found = schema.safeParse(body)
  if (!found.success) {
    const [first, ...others] = found.error.issues.flatMap(faultsOf)
    return { faults: [first ?? { path: [], reason: 'Invalid input' }, ...others] }
  }
  if (isTooDeep(found.data))
    return { faults: [{ path: ['page'], reason: `Too far: page × per_page may be ${MAX_PAGED_ROWS}` }] }
  return found
}

const faultsOf = (issue: z.core.$ZodIssue): FieldFault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...issue.path, key], reason: 'Unknown field' }))
    : [{ path: issue.path, reason: issue.message }]

const isTooDeep = (input: unknown): boolean => {
  const { page, per_page } = (input ?? {}) as { page?: unknown; per_page?: unknown }
  return typeof page === 'number' && typeof per_page === 'number' && page > 1 && page * per_page > MAX_PAGED_ROWS
}

/** The path with dots, such as `codes.0`. */
export const pathText = ({ path }: FieldFault): string => path.join('.') || 'body'
