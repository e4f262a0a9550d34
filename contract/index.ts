import type { z } from 'zod'
import type { Call } from './call.ts'
import { commonRefusals, type ErrorName } from './errors.ts'
import { abilityCalls } from './calls/ability.ts'
import { accountCalls } from './calls/account.ts'
import { aiCalls } from './calls/ai.ts'
import { apiKeyCalls } from './calls/api-key.ts'
import { auditCalls } from './calls/audit.ts'
import { bankCalls } from './calls/bank.ts'
import { cashCalls } from './calls/cash.ts'
import { contactCalls } from './calls/contact.ts'
import { deskCalls } from './calls/desk.ts'
import { draftCalls } from './calls/draft.ts'
import { factorCalls } from './calls/factor.ts'
import { messageCalls } from './calls/message.ts'
import { noteCalls } from './calls/note.ts'
import { flowCalls } from './calls/flow.ts'
import { homeCalls } from './calls/home.ts'
import { pushCalls } from './calls/push.ts'
import { reportCalls } from './calls/report.ts'
import { roomCalls } from './calls/room.ts'
import { searchCalls } from './calls/search.ts'
import { sessionCalls } from './calls/session.ts'
import { settingCalls } from './calls/setting.ts'
import { shareCalls } from './calls/share.ts'
import { templateCalls } from './calls/template.ts'
import { transferCalls } from './calls/transfer.ts'
import { uploadCalls } from './calls/upload.ts'

export type { Call } from './call.ts'
export { type CommonRefusal, commonRefusals, type ErrorName, errors, OK } from './errors.ts'

export const contract = {
  ...sessionCalls,
  ...settingCalls,
  ...apiKeyCalls,
  ...shareCalls,
  ...factorCalls,
  ...accountCalls,
  ...abilityCalls,
  ...auditCalls,
  ...transferCalls,
  ...flowCalls,
  ...homeCalls,
  ...pushCalls,
  ...reportCalls,
  ...roomCalls,
  ...messageCalls,
  ...aiCalls,
  ...contactCalls,
  ...bankCalls,
  ...cashCalls,
  ...noteCalls,
  ...templateCalls,
  ...searchCalls,
  ...deskCalls,
  ...draftCalls,
  ...uploadCalls,
}

export type Contract = typeof contract
export type CallName = keyof Contract
type At<N extends CallName> = Contract[N]
type RequestId<N extends CallName> = At<N>['effect'] extends 'write' ? { request_id?: string } : unknown
/** What the browser sends. */
export type Input<N extends CallName> = z.input<At<N>['request']> & RequestId<N>
/** What a handler gets: the parsed input. */
export type Parsed<N extends CallName> = z.output<At<N>['request']>
export type Answer<N extends CallName> = z.output<At<N>['response']>
export type Refusal<N extends CallName> = At<N> extends { refuses: readonly (infer E)[] } ? E : never

export const callNames = Object.keys(contract) as CallName[]
export const isCallName = (name: string): name is CallName => Object.hasOwn(contract, name)
/** A call without its own types, for code that treats all calls alike. */
export const declared = (name: CallName): Call => contract[name]
/** All names that a call may refuse with. */
export const refusalsOf = (name: CallName): readonly ErrorName[] => [
  ...commonRefusals,
  ...(declared(name).refuses ?? []),
]
