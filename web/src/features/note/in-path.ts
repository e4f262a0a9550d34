/**
 * A title as the last part of an address. It only tells people where they are: the page shows the note's own. A browser
 * reads one or two dots as a way up.
 */
export const inPath = (title: string) => (/^\s*\.{1,2}\s*$/.test(title) ? '…' : title)
