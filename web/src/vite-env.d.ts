declare module 'virtual:antd.css'

/** A language with the words of the member's page only (../member-words.ts). */
declare module '@tallyroom/locales/*?member' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}
