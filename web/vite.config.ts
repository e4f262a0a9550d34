import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions, type Plugin, type Rolldown } from 'vite'
import { groups, isOneOf, memberChat, officeAhead, pages, pagesAhead, pathOf } from './bundle.ts'
import { layers } from './layers.ts'
import { serviceWorker } from './service-worker.ts'
import { someWords } from './some-words.ts'

const inputs = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([name, path]) => [name, pathOf(path)]))

/** What a page starts with and shares with no other: its own file, its script, and the texts of the offline page. */
const isOfOnePage = /\.html$|[\\/]entries[\\/]|\?offline$/

const builds: Record<string, EnvironmentOptions> = {
  light: {
    consumer: 'client',
    build: { rolldownOptions: { input: inputs(pages.light) } },
  },
  client: {
    build: {
      rolldownOptions: {
        input: inputs(pages.office),
        output: {
          // The bundler puts the names of all pages that share a group behind a "~".
          chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
          assetFileNames: ({ names }) =>
            `assets/${(names[0] ?? 'file').replace(/~.*(?=\.)|\.\w+$/g, '')}-[hash][extname]`,
          codeSplitting: {
            groups: [
              // What a page runs first. Each file costs a request, and a browser makes six at a time.
              { name: 'base', tags: ['$initial'], test: (id: string) => !isOfOnePage.test(id) },
              ...groups.map(({ name, modules, packages }) => {
                const isModule = isOneOf(modules)
                return { name, test: (id: string) => isModule(id) || packages?.test(id) === true }
              }),
            ],
          },
        },
      },
    },
  },
}

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preact(), someWords(), officeFirst(), serviceWorker(), compiledAhead(), compressed()],
  build: { outDir: 'dist', emptyOutDir: false, target: 'es2022' },
  css: { postcss: { plugins: [layers()] } },
  // The builds run in this order and share their plugins: the service worker lists the files of both.
  builder: { sharedPlugins: true },
  // `npm run dev` has one environment: hot replacement needs React, so there React draws the light pages too.
  environments: command === 'build' ? builds : {},
}))

/**
 * Renders the light pages with Preact, which is a seventh of React's size: cheap phones open them. Modules that both
 * kinds of pages share are built twice.
 */
function preact(): Plugin {
  const replacements = new Map([
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
      const replacement = replacements.get(source)
      return replacement && this.resolve(replacement, importer, { skipSelf: true })
    },
  }
}

/**
 * Preloads the office's scripts from index.html: its own script requests them only after it has found a session. Names the
 * files of single pages for it.
 */
function officeFirst(): Plugin {
  const isAhead = isOneOf(officeAhead)
  return {
    name: 'office-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, filename }) {
        if (!filename.endsWith(`/${pages.office.index}`)) return undefined
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const wanted = chunks.filter(({ moduleIds }) => moduleIds.some(isAhead))
        const files = filesOf(wanted)
        const lengthOf = new Map(chunks.map(({ fileName, code }) => [fileName, code.length]))
        // Largest first: a browser makes six requests at a time, and with small files the line would soon be empty.
        const scripts = [...files]
          .filter((name) => !html.includes(name))
          .toSorted((a, b) => (lengthOf.get(b) ?? 0) - (lengthOf.get(a) ?? 0))
        const sheets = wanted.flatMap(sheetsOf)
        const known = new Set([...files, ...sheets])
        const isMissing = (name: string) => !known.has(name) && !html.includes(name)
        const link = (rel: string) => (name: string) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        })
        return [
          {
            tag: 'meta',
            attrs: { name: 'page-files', content: pageFiles(chunks, isMissing) },
            injectTo: 'head' as const,
          },
          ...sheets.map(link('stylesheet')),
          ...scripts.map(link('modulepreload')),
          {
            tag: 'link',
            attrs: { rel: 'preload', href: '/config.json', as: 'fetch', crossorigin: true },
            injectTo: 'head',
          },
        ]
      },
    },
  }
}

/** The files of scripts and of what they import. */
const filesOf = (chunks: Rolldown.OutputChunk[]) =>
  new Set(chunks.flatMap(({ fileName, imports }) => [...imports, fileName]))

const sheetsOf = ({ viteMetadata }: Rolldown.OutputChunk) => [...(viteMetadata?.importedCss ?? [])]

/** What src/entries/preload-page.ts reads: `/start of an address`, its files; separated by `|`. */
function pageFiles(chunks: Rolldown.OutputChunk[], isMissing: (name: string) => boolean) {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const withImports = (names: string[], found = new Set<string>()) => {
    for (const name of names) {
      if (found.has(name)) continue
      found.add(name)
      withImports(importsOf.get(name) ?? [], found)
    }
    return found
  }
  return Object.entries(pagesAhead)
    .map(([address, modules]) => {
      const isOwn = isOneOf(modules)
      const own = withImports(chunks.filter(({ moduleIds }) => moduleIds.some(isOwn)).map(({ fileName }) => fileName))
      const sheets = chunks.filter(({ fileName }) => own.has(fileName)).flatMap(sheetsOf)
      const missing = [...new Set([...own, ...sheets])].filter(isMissing)
      return [address, ...missing.map((name) => name.replace('assets/', ''))].join(' ')
    })
    .join('|')
}

/** Characters of a script. */
const COMPILED_AHEAD_FROM = 10_000

/**
 * Browsers that know this comment (Chromium from 136 on) compile every function of a script while it is still being loaded,
 * beside the page's own work. Without it each is compiled when it is called first, all of them before the first paint. Only
 * for what a first page runs: of the other scripts most functions are never called, and a short script has few.
 */
function compiledAhead(): Plugin {
  const isAhead = isOneOf([...officeAhead, ...Object.values(pagesAhead).flat(), memberChat])
  return {
    name: 'compiled-ahead',
    apply: 'build',
    generateBundle: {
      // The comment must be at the top, before what other plugins put there.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const first = chunks.filter(({ isEntry, moduleIds }) => isEntry || moduleIds.some(isAhead))
        const names = filesOf(first)
        for (const chunk of chunks)
          if (names.has(chunk.fileName) && chunk.code.length > COMPILED_AHEAD_FROM)
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

/** Writes a brotli file beside each script and sheet, so that the server never compresses during a request. */
function compressed(): Plugin {
  const compress = promisify(brotliCompress)
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir = '' }, bundle) => {
      const files = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
      await Promise.all(
        files.map(async (name) => {
          const text = await readFile(join(dir, name))
          const small = await compress(text, {
            params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
          })
          await writeFile(join(dir, `${name}.br`), small)
        }),
      )
    },
  }
}
