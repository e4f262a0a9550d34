import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './build.mjs'
import { root } from './shell.mjs'

/** What the pictures of docs/screens.md show: the pages, their texts and the sample data. */
const SOURCES = ['web/src', 'locales', 'server/src/demo']
const STATE = join(root, 'docs/pictures/taken-of.txt')

const stateOf = (sources) => {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const [path] of filesIn(source)) hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/** Notes of which sources all pictures were taken. */
export const notePictures = (file = STATE, sources = SOURCES) => writeFileSync(file, `${stateOf(sources)}\n`)

/** One sentence when the pages have changed since the pictures were taken; undefined otherwise. */
export const oldPictures = (file = STATE, sources = SOURCES) => {
  if (existsSync(file) && readFileSync(file, 'utf8').trim() === stateOf(sources)) return undefined
  return 'The pictures of docs/screens.md are older than the pages: npm run pictures -- docs/pictures, beside npm run demo'
}
