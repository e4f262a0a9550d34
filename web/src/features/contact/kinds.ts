import type { Contact } from '@tallyroom/contract/calls/conversation/contact'
import type { WordKey } from '@tallyroom/locales'

/** Labels of the kinds of contacts, plural and singular. */
export const kindWords: Record<Contact['type'], { many: WordKey; one: WordKey }> = {
  0: { many: 'contact.agents', one: 'role.agent' },
  1: { many: 'contact.members', one: 'role.member' },
  2: { many: 'contact.other', one: 'role.customer_service' },
}
