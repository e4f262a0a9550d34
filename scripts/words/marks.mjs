import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The comment behind a translation that needs a translator. No page shows it: an `untranslated` entry holds the English
 * text, an `outdated` one was made from an English text that has changed since.
 */
export const MARK = /^[ \t]*,?[ \t]*\/\/ (untranslated|outdated)[ \t]*$/

/** One sentence about the translations that wait below `at`; `undefined` if there is none. */
export const openTranslations = (at) => {
  const folder = join(at, 'locales')
  const open = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\/\/ (untranslated|outdated)[ \t]*$/gm) ?? [])
  if (open.length === 0) return undefined
  const said = open.length === 1 ? '1 translation is open' : `${open.length} translations are open`
  return `${said}: npm run words -- check`
}
