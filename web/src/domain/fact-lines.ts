import { describeFacts, type Fact, type FactLine } from '@tallyroom/contract/words/audit-words'
import type { Translate } from '../i18n/i18n.ts'
import { exactText } from '../ui/amount.tsx'

/** Details of the audit log and of changes that wait for approval, as text on the screen. */
export const factLines = (t: Translate, facts: readonly Fact[]): FactLine[] =>
  describeFacts({ t, amount: exactText }, facts)
