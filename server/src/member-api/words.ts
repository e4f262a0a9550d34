import type { ErrorName } from '@tallyroom/contract'
import type { Language, WordKey } from '@tallyroom/locales'
import { wordsFor } from '../lib/words.ts'

/** Refusals whose words in the office speak to a person at a browser have others here. */
const forServers: Partial<Record<ErrorName, WordKey>> = {
  'request.bad_envelope': 'api.bad_body',
  'request.unknown_call': 'api.unknown_call',
  'request.id_reused': 'api.id_reused',
  'request.too_old': 'api.id_too_old',
}

/** The words of a refusal to a platform's server, in its language. */
export const apiWords = (language: Language, name: ErrorName, values?: Record<string, string | number>): string =>
  wordsFor(language, forServers[name] ?? name, values)
