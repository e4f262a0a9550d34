/** Where the component library's sheet lies (../vite.config.ts). */
declare module 'virtual:antd-sheet' {
  const address: string
  export default address
}

/** A language with the words of the member's page only (../some-words.ts). */
declare module '@tallyroom/locales/*?member' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}

/** With those of the way in. */
declare module '@tallyroom/locales/*?session' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}

/** And with those of the page that is shown without a line. */
declare module '@tallyroom/locales/*?offline' {
  import type { Words } from '@tallyroom/locales'

  const words: Words
  export default words
}
