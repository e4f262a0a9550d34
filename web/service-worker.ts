import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
const source = fileURLToPath(new URL('sw.js', import.meta.url))

/** Everything that a page may ask for while it is open: its script, what that imports now or later, and their styles. */
const filesOf = (bundle: Bundle, page: string): Set<string> => {
  const found = new Set<string>()
  const take = (name: string) => {
    const file = bundle[name]
    if (!file || found.has(name)) return
    found.add(name)
    if (file.type !== 'chunk') return
    for (const css of file.viteMetadata?.importedCss ?? []) take(css)
    for (const asset of file.viteMetadata?.importedAssets ?? []) take(asset)
    for (const next of [...file.imports, ...file.dynamicImports]) take(next)
  }
  for (const file of Object.values(bundle))
    if (file.type === 'chunk' && file.facadeModuleId?.endsWith(page)) take(file.fileName)
  return found
}

/** `/sw.js`: sw.js with the names of all files of this build, so that another build is another worker. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const office = filesOf(bundle, '/index.html')
    const member = filesOf(bundle, '/member.html')
    const offline = filesOf(bundle, '/offline.html')
    if (!office.size || !member.size || !offline.size) this.error('a page has no files')
    // Those of workers stand in no list of imports.
    const imported = Object.values(bundle).filter((file) => file.type === 'chunk' || file.fileName.endsWith('.css'))
    const known = new Set(imported.map(({ fileName }) => fileName))
    const stray = Object.keys(bundle).filter((name) => /^assets\/.*\.js$/.test(name) && !known.has(name))
    // That of the component library neither: its script fetches it (src/theme/antd-sheet.ts).
    for (const name of Object.keys(bundle)) if (/^assets\/antd-[\w-]+\.css$/.test(name)) office.add(name)
    const list = (files: Set<string>) => [...new Set([...files, ...offline, ...stray])].sort().map((name) => `/${name}`)
    const files = { office: list(office), member: list(member) }
    const text = readFileSync(source, 'utf8')
    const page = readFileSync(new URL('offline.html', import.meta.url), 'utf8')
    const version = createHash('sha256')
      .update(JSON.stringify([files, text, page]))
      .digest('hex')
      .slice(0, 12)
    this.emitFile({
      type: 'asset',
      fileName: 'sw.js',
      source: text.replace('__BUILD__', JSON.stringify({ version, ...files })),
    })
  },
})
