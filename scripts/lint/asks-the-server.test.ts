import { expect, test } from 'vitest'
import { faulty } from './linted.ts'

/** Conditions, and whether the browser would decide itself what the user may do. */
const cases = [
  ["getStored('role_id') !== '3'", true],
  ["getStored('chat_ai_bot_visible') === '1'", true],
  ['own.data?.role_id === Role.admin', true],
  ['row.role_id !== Role.customerService', true],
  ['role_id === 3', true],
  ["row?.role_id !== '2'", true],
  ['isOperator(own.data.role_id)', true],
  ['isOffice(profile.role_id)', true],
  ["useMay('statement/export')", false],
  ["getStored('user_id') === String(row.id)", false],
  ["getStored('agent_login') === '1'", false],
  ['who.role_id !== undefined', false],
  ['isOffice(row.role_id)', false],
  ['t(roleWords[row.role_id])', false],
] as const

test('[CODE-04] the linter finds where the browser decides by role or by what it stores, and nothing else', () => {
  const found = faulty(
    'asks-the-server',
    cases.map(([condition]) => `export const shown = (own, profile, row, who, role_id) => ${condition}\n`),
  )
  expect(cases.map(([condition], at) => [condition, found[at]])).toEqual(cases.map((one) => [...one]))
})
