import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Plugin, type Rolldown, transformWithOxc } from 'vite'
import { pages } from './bundle.ts'

type Bundle = Rolldown.OutputBundle
const source = fileURLToPath(new URL('worker/sw.ts', import.meta.url))

/** All files that a page may request while it is open: its script, what that imports now or later, and their styles. */
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

/** Scripts of workers: no other script imports them. */
const workerScriptsOf = (bundle: Bundle): string[] => {
  const imported = Object.values(bundle).filter((file) => file.type === 'chunk' || file.fileName.endsWith('.css'))
  const known = new Set(imported.map(({ fileName }) => fileName))
  return Object.keys(bundle).filter((name) => /^assets\/.*\.js$/.test(name) && !known.has(name))
}

/** The worker as browsers run it, without types and without the list of files. */
const script = async () => (await transformWithOxc(readFileSync(source, 'utf8'), source, { sourcemap: false })).code

const withBuild = (code: string, build: { version: string; office: string[]; member: string[] }) =>
  code.replace('__BUILD__', JSON.stringify(build))

/**
 * Builds `/sw.js`: worker/sw.ts with the names of all files of this build. Another build makes browsers install another
 * worker.
 */
export const serviceWorker = (): Plugin => {
  // The light pages are built before the office's.
  let [login, member] = [new Set<string>(), new Set<string>()]
  return {
    name: 'service-worker',
    enforce: 'post',
    // In development it only handles push: the files change all the time.
    configureServer({ middlewares }) {
      middlewares.use('/sw.js', (_, response, next) => {
        script().then((code) => {
          response.setHeader('content-type', 'text/javascript; charset=utf-8')
          response.end(withBuild(code, { version: 'dev', office: [], member: [] }))
        }, next)
      })
    },
    async generateBundle(_, bundle) {
      if (this.environment.name === 'light') {
        login = filesOf(bundle, `/${pages.light.login}`)
        member = new Set([...filesOf(bundle, `/${pages.light.member}`), ...workerScriptsOf(bundle)])
        return
      }
      const office = new Set([...filesOf(bundle, `/${pages.office.index}`), ...login, ...workerScriptsOf(bundle)])
      const offline = filesOf(bundle, `/${pages.office.offline}`)
      if (!office.size || !login.size || !member.size || !offline.size)
        this.error('A page of web/bundle.ts has no files: the service worker would cache nothing for it')
      const list = (files: Set<string>) => [...new Set([...files, ...offline])].sort().map((name) => `/${name}`)
      const files = { office: list(office), member: list(member) }
      const code = await script()
      const page = readFileSync(new URL(pages.office.offline, import.meta.url), 'utf8')
      const version = createHash('sha256')
        .update(JSON.stringify([files, code, page]))
        .digest('hex')
        .slice(0, 12)
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: withBuild(code, { version, ...files }),
      })
    },
  }
}
