/** Texts of the light pages, each with those that locales/pages.ts lists (../some-words.ts removes the others). */
declare module '@tallyroom/locales/*?member' {
  import type { WordsOn } from '@tallyroom/locales'

  const words: WordsOn<'member'>
  export default words
}

/** The texts of the member's page that only its sheets say; `?member` has the others. */
declare module '@tallyroom/locales/*?sheets' {
  import type { WordsOn } from '@tallyroom/locales'

  const words: WordsOn<'member'>
  export default words
}

declare module '@tallyroom/locales/*?session' {
  import type { WordsOn } from '@tallyroom/locales'

  const words: WordsOn<'session'>
  export default words
}

declare module '@tallyroom/locales/*?offline' {
  import type { WordsOn } from '@tallyroom/locales'

  const words: WordsOn<'offline'>
  export default words
}

/** The office's texts: those of every page, and those that few pages say. */
declare module '@tallyroom/locales/*?office' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}

declare module '@tallyroom/locales/*?admin' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}
