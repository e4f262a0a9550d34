/** On a Mac, Alt with a letter types a character, and Cmd replaces Ctrl. */
export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)
