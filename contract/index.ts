import type { z } from 'zod'
import type { Call } from './call.ts'
import { commonRefusals, type ErrorName } from './errors.ts'
import { abilityCalls } from './calls/accounts/ability.ts'
import { accountCalls } from './calls/accounts/account.ts'
import { aiCalls } from './calls/conversation/ai.ts'
import { apiKeyCalls } from './calls/office/api-key.ts'
import { approvalCalls } from './calls/points/approval.ts'
import { auditCalls } from './calls/office/audit.ts'
import { bellCalls } from './calls/office/bell.ts'
import { bankCalls } from './calls/points/bank.ts'
import { cashCalls } from './calls/points/cash.ts'
import { receivingCalls } from './calls/points/receiving.ts'
import { sensitiveChangeCalls } from './calls/office/change.ts'
import { contactCalls } from './calls/conversation/contact.ts'
import { deskCalls } from './calls/conversation/desk.ts'
import { draftCalls } from './calls/conversation/draft.ts'
import { factorCalls } from './calls/sign-in/factor.ts'
import { limitCalls } from './calls/points/limit.ts'
import { passkeyCalls } from './calls/sign-in/passkey.ts'
import { recoveryCalls } from './calls/sign-in/recovery.ts'
import { messageCalls } from './calls/conversation/message.ts'
import { listViewCalls } from './calls/office/list-view.ts'
import { noteCalls } from './calls/conversation/note.ts'
import { flowCalls } from './calls/points/flow.ts'
import { homeCalls } from './calls/office/home.ts'
import { installationCalls } from './calls/office/installation.ts'
import { periodCalls } from './calls/points/period.ts'
import { personCalls } from './calls/accounts/person.ts'
import { pushCalls } from './calls/conversation/push.ts'
import { reportCalls } from './calls/points/report.ts'
import { rightCalls } from './calls/accounts/right.ts'
import { roomCalls } from './calls/conversation/room.ts'
import { searchCalls } from './calls/office/search.ts'
import { sessionCalls } from './calls/sign-in/session.ts'
import { deskHoursCalls } from './calls/office/desk-hours.ts'
import { deskSettingCalls } from './calls/office/desk-setting.ts'
import { settingCalls } from './calls/office/setting.ts'
import { shareCalls } from './calls/accounts/share.ts'
import { statementCalls } from './calls/points/statement.ts'
import { laterCalls } from './calls/conversation/later.ts'
import { templateCalls } from './calls/conversation/template.ts'
import { transferCalls } from './calls/points/transfer.ts'
import { treeCalls } from './calls/accounts/tree.ts'
import { uploadCalls } from './calls/conversation/upload.ts'
import { workCalls } from './calls/conversation/work.ts'
import { endpointOfficeCalls } from './calls/office/endpoint.ts'

export type { Call } from './call.ts'
export { type CommonRefusal, commonRefusals, type ErrorName, errors, OK } from './errors.ts'

export const contract = {
  ...sessionCalls,
  ...settingCalls,
  ...deskSettingCalls,
  ...deskHoursCalls,
  ...apiKeyCalls,
  ...endpointOfficeCalls,
  ...shareCalls,
  ...factorCalls,
  ...passkeyCalls,
  ...recoveryCalls,
  ...accountCalls,
  ...abilityCalls,
  ...auditCalls,
  ...transferCalls,
  ...rightCalls,
  ...limitCalls,
  ...approvalCalls,
  ...sensitiveChangeCalls,
  ...flowCalls,
  ...homeCalls,
  ...bellCalls,
  ...installationCalls,
  ...pushCalls,
  ...periodCalls,
  ...personCalls,
  ...reportCalls,
  ...roomCalls,
  ...messageCalls,
  ...aiCalls,
  ...contactCalls,
  ...bankCalls,
  ...cashCalls,
  ...receivingCalls,
  ...noteCalls,
  ...statementCalls,
  ...workCalls,
  ...laterCalls,
  ...templateCalls,
  ...searchCalls,
  ...deskCalls,
  ...draftCalls,
  ...listViewCalls,
  ...treeCalls,
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
export type EffectOf<N extends CallName> = At<N>['effect']
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
