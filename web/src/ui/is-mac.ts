/** There Alt and a letter write a letter, and what is Ctrl elsewhere is Cmd. */
export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)
