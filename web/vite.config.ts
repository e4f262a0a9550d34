import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { serviceWorker } from './service-worker.ts'
import { someWords } from './some-words.ts'

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))
/** The parts of antd that the back office draws; a part that is missing here has no style. */
// biome-ignore format: a list of names, one to a line would fill the page.
const PARTS = [
  'btn', 'date-picker', 'picker', 'drawer', 'empty', 'input', 'modal', 'radio', 'select', 'spin', 'switch',
  'tooltip', 'wave', 'motion', 'scroll', 'slide', 'move', 'zoom', 'fade',
]

/** Where `npm run dev` has the sheet of the component library. */
const DEV_SHEET = '/@antd.css'

const builds: Record<string, EnvironmentOptions> = {
  light: {
    consumer: 'client',
    build: { rolldownOptions: { input: { login: page('login.html'), member: page('member.html') } } },
  },
  client: {
    build: {
      rolldownOptions: {
        input: { index: page('index.html'), offline: page('offline.html') },
        output: {
          // Groups are named by all pages that share them.
          chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
          assetFileNames: ({ names }) =>
            `assets/${(names[0] ?? 'file').replace(/~.*(?=\.)|\.\w+$/g, '')}-[hash][extname]`,
          codeSplitting: {
            groups: [
              // What a page begins with, what changes only with an upgrade, and what stands around each page of the office: few
              // files, for each of them takes its time.
              { name: 'base', tags: ['$initial'], entriesAware: true, entriesAwareMergeThreshold: 4000 },
              { name: 'react', test: /node_modules[\\/](react-dom|scheduler)[\\/]|src[\\/]lib[\\/]mount\.tsx$/ },
              { name: 'call', test: /src[\\/]api[\\/]call\.ts$/ },
              { name: 'office', test: /src[\\/]app[\\/]office\.tsx$/ },
              { name: 'rows', test: /@tanstack[\\/](react-)?virtual/ },
              { name: 'table', test: /search-table[\\/]table\.tsx$/ },
            ],
          },
        },
      },
    },
  },
}

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preact(), antdSheet(), someWords(), officeAhead(), serviceWorker(), pressed()],
  build: { outDir: 'dist', emptyOutDir: false, target: 'es2022' },
  // One after the other, in this order: the service worker knows the files of both.
  builder: { sharedPlugins: true },
  // `npm run dev` has one environment: hot replacement needs React, so there React draws the light pages too.
  environments: command === 'build' ? builds : {},
}))

/**
 * The pages that phones open are drawn by Preact, which is a seventh of React's weight; the component library needs React
 * itself. The source is the same: what both pages share is built twice.
 */
function preact(): Plugin {
  const places = new Map([
    ['react', 'preact/compat'],
    ['react-dom', 'preact/compat'],
    ['react-dom/client', 'preact/compat/client'],
    ['react/jsx-runtime', 'preact/jsx-runtime'],
  ])
  return {
    name: 'preact',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'light',
    resolveId(source, importer) {
      const place = places.get(source)
      return place && this.resolve(place, importer, { skipSelf: true })
    },
  }
}

/**
 * `import address from 'virtual:antd-sheet'`: where antd's own static sheet lies, without the two thirds that nothing here
 * draws. Styles made at run time would cost a third of the script's time. See src/theme/antd-sheet.ts for who asks for it.
 */
function antdSheet(): Plugin {
  const id = 'virtual:antd-sheet'
  let built = false
  let sheetInDev = ''
  const known = new RegExp(`\\.(ant|anticon)(-(${PARTS.join('|')}))?(?![\\w-])|\\.ant-(${PARTS.join('|')})-`)
  return {
    name: 'antd-sheet',
    configResolved: ({ command }) => {
      built = command === 'build'
    },
    // By an address of its own: the policy of the pages forbids a sheet in a data: address.
    configureServer({ middlewares }) {
      middlewares.use(DEV_SHEET, (_, response) => {
        response.setHeader('content-type', 'text/css; charset=utf-8').end(sheetInDev)
      })
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined
      const sheet = readFileSync(createRequire(import.meta.url).resolve('antd/dist/antd.css'), 'utf8')
      const drawn = rulesOf(sheet)
        .filter((rule) => {
          const selector = rule.slice(0, rule.indexOf('{'))
          if (/^@(keyframes|property|-webkit-keyframes)/.test(rule)) return true
          const classes = (selector.startsWith('@') ? rule : selector).match(/\.(ant|anticon)[\w-]*/g)
          return !classes || classes.some((name) => known.test(name))
        })
        .join('\n')
      if (!built) {
        sheetInDev = drawn
        return `export default '${DEV_SHEET}'`
      }
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: 'antd.css', source: drawn })}`
    },
  }
}

/** The rules of a sheet, those with rules inside as one. */
function rulesOf(sheet: string): string[] {
  const rules: string[] = []
  let [start, depth] = [0, 0]
  for (let at = 0; at < sheet.length; at++) {
    if (sheet[at] === '{') depth++
    if (sheet[at] !== '}' || --depth > 0) continue
    rules.push(sheet.slice(start, at + 1).trim())
    start = at + 1
  }
  return rules
}

/** index.html asks for the office at once, beside its own script, which alone knows whether there is a session. */
function officeAhead(): Plugin {
  return {
    name: 'office-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, filename }) {
        if (!filename.endsWith('/index.html')) return undefined
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const wanted = chunks.filter(({ moduleIds }) =>
          moduleIds.some((id) => /\/src\/(api\/call|lib\/mount|app\/office)\.tsx?$/.test(id)),
        )
        const files = new Set(wanted.flatMap(({ fileName, imports }) => [...imports, fileName]))
        const scripts = [...files].filter((name) => !html.includes(name))
        const sheets = wanted.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        const link = (rel: string) => (name: string) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        })
        // The rules of the component library come between those that every page begins with and the office's own.
        const place = { tag: 'meta', attrs: { name: 'component-library' }, injectTo: 'head' as const }
        return [place, ...sheets.map(link('stylesheet')), ...scripts.map(link('modulepreload'))]
      },
    },
  }
}

/** Beside each file its brotli form, so that the server presses none while somebody waits. */
function pressed(): Plugin {
  const press = promisify(brotliCompress)
  return {
    name: 'pressed',
    apply: 'build',
    writeBundle: async ({ dir = '' }, bundle) => {
      const files = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
      await Promise.all(
        files.map(async (name) => {
          const text = await readFile(join(dir, name))
          const small = await press(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
          await writeFile(join(dir, `${name}.br`), small)
        }),
      )
    },
  }
}
