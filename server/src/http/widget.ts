import { serverPath } from '../paths.ts'
import { readFileSync } from 'node:fs'
import type { Language } from '@tallyroom/locales'
import { wordsFor } from '../lib/words.ts'

/** Next to migrations/, for the source and for the bundle. */
const source = readFileSync(serverPath('widget/widget.js'), 'utf8')

/** The script that other sites include (docs/widget.md), in the visitor's language. `origins`: those that may show it. */
export const widgetScript = (language: Language, origins: string[]): string =>
  source
    .replace(
      '__WORDS__',
      JSON.stringify({ open: wordsFor(language, 'widget.open'), close: wordsFor(language, 'widget.close') }),
    )
    .replace('__ORIGINS__', JSON.stringify(origins))
