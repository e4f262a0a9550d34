/** Where the component library's sheet lies (../vite.config.ts). */
declare module 'virtual:antd-sheet' {
  const address: string
  export default address
}

/** The tables of the light pages, each with the words that locales/pages.ts names (../some-words.ts cuts them). */
declare module '@tallyroom/locales/*?member' {
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
