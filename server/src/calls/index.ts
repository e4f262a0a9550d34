import type { contract } from '@tallyroom/contract'
import { abilityHandlers } from './ability.ts'
import { accountHandlers } from './account.ts'
import { aiHandlers } from './ai.ts'
import { apiKeyHandlers } from './api-key.ts'
import { auditHandlers } from './audit.ts'
import { bankHandlers } from './bank.ts'
import { cashHandlers } from './cash.ts'
import { contactHandlers } from './contact.ts'
import { deskHandlers } from './desk.ts'
import { draftHandlers } from './draft.ts'
import { factorHandlers } from './factor.ts'
import { homeHandlers } from './home.ts'
import { messageHandlers } from './message.ts'
import { noteHandlers } from './note.ts'
import { flowHandlers } from './flow.ts'
import { pushHandlers } from './push.ts'
import { reportHandlers } from './report.ts'
import { roomHandlers } from './room.ts'
import { searchHandlers } from './search.ts'
import { sessionHandlers } from './session.ts'
import { settingHandlers } from './setting.ts'
import { shareHandlers } from './share.ts'
import { templateHandlers } from './template.ts'
import { transferHandlers } from './transfer.ts'
import { uploadHandlers } from './upload.ts'
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
  ...messageHandlers,
  ...aiHandlers,
  ...contactHandlers,
  ...bankHandlers,
  ...cashHandlers,
  ...noteHandlers,
  ...templateHandlers,
  ...searchHandlers,
  ...deskHandlers,
  ...draftHandlers,
  ...homeHandlers,
  ...pushHandlers,
  ...uploadHandlers,
}
