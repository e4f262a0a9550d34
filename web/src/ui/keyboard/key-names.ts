import { isMac } from './is-mac.ts'

/** What is printed on keys, the same in all languages. */
export const CONTROL = isMac ? '⌘' : 'Ctrl'
export const ESCAPE = 'Esc'
export const ENTER = '↵'
