import { type Language, languages } from '@tallyroom/locales'

/** `npm run test:long`: the tests tagged with LONG in their long form, in all languages, themes and roles. */
export const isLong = process.env.LONG === '1'
export const LONG = { tag: '@long' }
/** English and a script with tall letters, or all languages in the long run. */
export const looksIn: readonly Language[] = isLong ? languages : ['en', 'my']
