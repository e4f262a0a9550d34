import type { contract } from '@tallyroom/contract'
import { abilityHandlers } from './calls/ability.ts'
import { accountHandlers } from './calls/account.ts'
import { aiHandlers } from './calls/ai.ts'
import { apiKeyHandlers } from './calls/api-key.ts'
import { auditHandlers } from './calls/audit.ts'
import { bankHandlers } from './calls/bank.ts'
import { contactHandlers } from './calls/contact.ts'
import { deskHandlers } from './calls/desk.ts'
import { draftHandlers } from './calls/draft.ts'
import { factorHandlers } from './calls/factor.ts'
import { homeHandlers } from './calls/home.ts'
import { noteHandlers } from './calls/note.ts'
import { flowHandlers } from './calls/flow.ts'
import { pushHandlers } from './calls/push.ts'
import { reportHandlers } from './calls/report.ts'
import { roomHandlers } from './calls/room.ts'
import { searchHandlers } from './calls/search.ts'
import { sessionHandlers } from './calls/session.ts'
import { settingHandlers } from './calls/setting.ts'
import { shareHandlers } from './calls/share.ts'
import { templateHandlers } from './calls/template.ts'
import { transferHandlers } from './calls/transfer.ts'
import type { Handlers } from './handler.ts'

/** Every call of the contract with its handler. */
export const handlers: Handlers<typeof contract> = {
  ...sessionHandlers,
  ...settingHandlers,
  ...apiKeyHandlers,
  ...shareHandlers,
  ...factorHandlers,
  ...accountHandlers,
  ...abilityHandlers,
  ...auditHandlers,
  ...transferHandlers,
  ...flowHandlers,
  ...reportHandlers,
  ...roomHandlers,
  ...aiHandlers,
  ...contactHandlers,
  ...bankHandlers,
  ...noteHandlers,
  ...templateHandlers,
  ...searchHandlers,
  ...deskHandlers,
  ...draftHandlers,
  ...homeHandlers,
  ...pushHandlers,
}
