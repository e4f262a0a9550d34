import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../shell.mjs'
import { frame, searchRows } from './frame.mjs'
import { render } from './markdown.mjs'
import { addresses } from './pages.mjs'

/** Writes the pages of /docs with their pictures, sheet and script into `folder`. They load nothing from elsewhere. */
export const buildSite = async (folder) => {
  rmSync(folder, { recursive: true, force: true })
  const pages = [...addresses.keys()].map((path) => [path, render(path, readFileSync(join(root, path), 'utf8'))])
  const titles = new Map(pages.map(([path, { title }]) => [path, title]))
  for (const [path, page] of pages) {
    const file = join(folder, addresses.get(path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, frame(path, page, titles))
  }
  writeFileSync(join(folder, 'search.json'), JSON.stringify(pages.flatMap(([path, page]) => searchRows(path, page))))
  cpSync(join(root, 'docs/pictures'), join(folder, 'pictures'), {
    recursive: true,
    filter: (path) => !path.endsWith('.txt'),
  })
  await build({
    absWorkingDir: root,
    entryPoints: { docs: 'web/src/entries/docs.ts' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022'],
    logLevel: 'silent',
  })
}
