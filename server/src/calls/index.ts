import type { contract } from '@tallyroom/contract'
import { abilityHandlers, makeAbilities } from './accounts/ability.ts'
import { accountHandlers } from './accounts/account.ts'
import { aiHandlers } from './conversation/ai.ts'
import { apiKeyHandlers, makeKeyTerms } from './office/api-key.ts'
import { makeEndpointUrl } from '../accounts/endpoints/endpoints.ts'
import { endpointOfficeHandlers } from './office/endpoint.ts'
import { approvalHandlers } from './points/approval.ts'
import { auditHandlers } from './office/audit.ts'
import { bellHandlers } from './office/bell.ts'
import { bankHandlers } from './points/bank.ts'
import { cashHandlers } from './points/cash.ts'
import { makeReceiving, receivingHandlers } from './points/receiving.ts'
import { sensitiveChangeHandlers } from './office/change.ts'
import { contactHandlers } from './conversation/contact.ts'
import { deskHandlers } from './conversation/desk.ts'
import { draftHandlers } from './conversation/draft.ts'
import { factorHandlers } from './sign-in/factor.ts'
import { homeHandlers } from './office/home.ts'
import { installationHandlers } from './office/installation.ts'
import { limitHandlers, makeLimits } from './points/limit.ts'
import { messageHandlers } from './conversation/message.ts'
import { listViewHandlers } from './office/list-view.ts'
import { noteHandlers } from './conversation/note.ts'
import { recoveryHandlers } from './sign-in/recovery.ts'
import { passkeyHandlers } from './sign-in/passkey.ts'
import { periodHandlers } from './points/period.ts'
import { makeErasure, personHandlers } from './accounts/person.ts'
import { flowHandlers } from './points/flow.ts'
import { pushHandlers } from './conversation/push.ts'
import { reportHandlers } from './points/report.ts'
import { makeRights, rightHandlers } from './accounts/right.ts'
import { roomHandlers } from './conversation/room.ts'
import { searchHandlers } from './office/search.ts'
import { sessionHandlers } from './sign-in/session.ts'
import { workHandlers } from './conversation/work.ts'
import { deskHoursHandlers } from './office/desk-hours.ts'
import { deskSettingHandlers } from './office/desk-setting.ts'
import { makeUrl, settingHandlers } from './office/setting.ts'
import { shareHandlers } from './accounts/share.ts'
import { statementHandlers } from './points/statement.ts'
import { laterHandlers } from './conversation/later.ts'
import { templateHandlers } from './conversation/template.ts'
import { transferHandlers } from './points/transfer.ts'
import { makeMove, treeHandlers } from './accounts/tree.ts'
import { uploadHandlers } from './conversation/upload.ts'
import type { Handlers } from './handler.ts'

/** Every call of the contract with its handler. */
export const handlers: Handlers<typeof contract> = {
  ...sessionHandlers,
  ...settingHandlers,
  ...deskSettingHandlers,
  ...deskHoursHandlers,
  ...workHandlers,
  ...apiKeyHandlers,
  ...endpointOfficeHandlers,
  ...shareHandlers,
  ...factorHandlers,
  ...passkeyHandlers,
  ...recoveryHandlers,
  ...accountHandlers,
  ...abilityHandlers,
  ...auditHandlers,
  ...transferHandlers,
  ...rightHandlers,
  ...limitHandlers,
  ...approvalHandlers,
  ...sensitiveChangeHandlers({
    'user/saveAbilities': makeAbilities,
    'limit/save': makeLimits,
    'setting/save': makeUrl,
    'endpoint/set': makeEndpointUrl,
    'apiKey/set': makeKeyTerms,
    'receiving/save': makeReceiving,
    'right/save': makeRights,
    'tree/move': makeMove,
    'person/erase': makeErasure,
  }),
  ...flowHandlers,
  ...periodHandlers,
  ...personHandlers,
  ...reportHandlers,
  ...roomHandlers,
  ...messageHandlers,
  ...aiHandlers,
  ...contactHandlers,
  ...bankHandlers,
  ...cashHandlers,
  ...receivingHandlers,
  ...noteHandlers,
  ...statementHandlers,
  ...laterHandlers,
  ...templateHandlers,
  ...searchHandlers,
  ...deskHandlers,
  ...draftHandlers,
  ...listViewHandlers,
  ...homeHandlers,
  ...bellHandlers,
  ...installationHandlers,
  ...pushHandlers,
  ...treeHandlers,
  ...uploadHandlers,
}
