import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LAZY = /(?:lazyPart|libraryPage)\(\s*async \(\) => \(await import\('(\.[^']+)'\)\)\.\w+,?\s*\)/g
/** Gone from what is built. */
const TYPES = /(?:import|export) type [^']+ from '[^']+'/g
const IMPORT = /(?:from|import\(|import) ?'(\.[^']+\.tsx?)'/g
/** The file that loads the library and its texts. */
const LOADER = /ui\/page\/lazy-part\.tsx$/

/** All files that a page imports without lazy loading, each with the file that imports it. */
const reachable = (file: string, found = new Map<string, string>(), from = ''): Map<string, string> => {
  if (found.has(file)) return found
  found.set(file, from)
  const text = readFileSync(file, 'utf8').replace(LAZY, '').replace(TYPES, '')
  const rest = LOADER.test(file) ? text.replace(/import\('[^']+'\)/g, '') : text
  for (const [, path = ''] of rest.matchAll(IMPORT)) reachable(join(dirname(file), path), found, file)
  return found
}

test('the shell, the home page, the lists and the chat do not import the component library', () => {
  const files = reachable(fileURLToPath(new URL('../entries/office.tsx', import.meta.url)))
  const names = [...files.keys()].map((file) => file.slice(file.indexOf('/src/') + 5))
  expect(names).toEqual(expect.arrayContaining(['features/account/list-page.tsx', 'features/room/page/room-page.tsx']))
  const withLibrary = [...files].filter(([file]) => /from 'antd'/.test(readFileSync(file, 'utf8')))
  expect(withLibrary.map(([file, from]) => `${file} from ${from}`)).toEqual([])
})
