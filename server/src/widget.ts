import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '@tallyroom/locales'
import { wordsFor } from './words.ts'

/** Beside migrations/, from the source and from the bundle alike. */
const source = readFileSync(fileURLToPath(new URL('../widget/widget.js', import.meta.url)), 'utf8')

/** The script that another site puts on its pages (docs/widget.md), with the visitor's words. */
export const widgetScript = (language: Language): string =>
  source.replace(
    '__WORDS__',
    JSON.stringify({ open: wordsFor(language, 'widget.open'), close: wordsFor(language, 'widget.close') }),
  )
