import { serverPath } from '../paths.ts'
import { readFileSync } from 'node:fs'
import type { Language } from '@tallyroom/locales'
import { wordsFor } from '../lib/words.ts'

/** Beside migrations/, from the source and from the bundle alike. */
const source = readFileSync(serverPath('widget/widget.js'), 'utf8')

/** The script that another site puts on its pages (docs/widget.md), with the visitor's words. */
export const widgetScript = (language: Language): string =>
  source.replace(
    '__WORDS__',
    JSON.stringify({ open: wordsFor(language, 'widget.open'), close: wordsFor(language, 'widget.close') }),
  )
