/**
 * A title as the last part of an address, for people to read; the page shows the note's own title. A browser would
 * resolve "." and ".." as path segments.
 */
export const inPath = (title: string) => (/^\s*\.{1,2}\s*$/.test(title) ? '…' : title)
