import { errors, OK } from '@tallyroom/contract'
import { type ApiName, type ListCall, listCalls, MAX_LISTED, memberApi } from '@tallyroom/contract/member-api'
import { z } from 'zod'
import { checkFields } from '../http/field-faults.ts'
import type { Caller } from '../identity/caller.ts'
import { Refused } from '../lib/refusal.ts'
import { wordsFor } from '../lib/words.ts'
import { invalidFields } from './invalid-fields.ts'
import { apiWords } from './words.ts'

export const isListCall = (name: ApiName): name is ListCall => Object.hasOwn(listCalls, name)

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row)

/** How many there are. What each row has is checked with it. */
const List = z.strictObject({ rows: z.array(z.unknown()).min(1).max(MAX_LISTED) })

type RunOne = (name: (typeof listCalls)[ListCall], row: Record<string, unknown>) => Promise<unknown>

/**
 * Carries out each row as the call about one, all at once: the ledger takes them as a batch, in their order. A refusal is the
 * result of its row. Any other error is that of the whole list, which is repeatable.
 */
export const runRows = async (name: ListCall, body: Record<string, unknown>, runOne: RunOne, { language }: Caller) => {
  const { request_id: _, rows: given, ...others } = body
  const rows: unknown[] = Array.isArray(given) ? given : []
  const found = checkFields(List, { ...others, rows: Array.isArray(given) ? rows.map(() => null) : given })
  if ('faults' in found) throw invalidFields(found.faults)
  const resultOf = async (row: unknown) => {
    const bet_id = isObject(row) && typeof row['bet_id'] === 'string' ? row['bet_id'] : null
    try {
      if (!isObject(row)) throw invalidFields([{ path: [], reason: 'Expected an object' }])
      const data = await runOne(listCalls[name], row)
      return { bet_id, code: OK, message: wordsFor(language, 'success'), refusal: null, data }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { refusal, data } = error
      const message = apiWords(language, refusal, data as Record<string, string>)
      return { bet_id, code: errors[refusal], message, refusal, data: refusal === 'request.invalid' ? data : null }
    }
  }
  return memberApi[name].response.parse({ rows: await Promise.all(rows.map(resultOf)) })
}
