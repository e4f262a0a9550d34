import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, programOf, root, Stop } from './shell.mjs'

const stamps = join(root, 'node_modules/.cache/tallyroom')
const skipped = new Set(['node_modules', 'dist', 'testing'])

/** Each file below a path of the repository, with its size and time. Tests are left out. */
export function* filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found?.isFile()) yield [path, found]
  if (!found?.isDirectory()) return
  for (const name of readdirSync(join(root, path)).sort()) {
    if (!skipped.has(name) && !/\.test\.tsx?$/.test(name)) yield* filesIn(`${path}/${name}`)
  }
}

/** Changes when a source does. Size and time are enough, and 20 times faster than reading the files. */
const fingerprint = (sources) => {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const [path, { size, mtimeMs }] of filesIn(source)) hash.update(`${path} ${size} ${mtimeMs}\n`)
  return hash.digest('hex')
}

/** Does the work unless its result exists and no source has changed. */
const whenChanged = async (name, { sources, result }, work) => {
  const stamp = join(stamps, name)
  const now = fingerprint([...sources, 'package-lock.json', 'scripts/build.mjs'])
  if (existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  rmSync(stamp, { force: true })
  await work()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, now)
}

/** The server's programs: itself, and commands such as `npm run account`. */
const entries = () => {
  const commands = [...filesIn('server/src/cli')]
    .map(([path]) => path)
    .filter((path) => /^server\/src\/cli\/[\w-]+\.ts$/.test(path))
  // A thread of its own has its own file.
  return ['server/src/main.ts', 'server/src/chat/files/inspect-worker.ts', ...commands].filter((path) =>
    existsSync(join(root, path)),
  )
}

/** esbuild's settings for each: our code in one file, packages stay external. */
export const serverBuild = () => ({
  absWorkingDir: root,
  entryPoints: entries(),
  outdir: 'server/dist',
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  // Stack traces need the lines only. Node keeps the map of a running program in memory.
  sourcesContent: false,
  logLevel: 'silent',
  plugins: [
    {
      name: 'packages-stay-outside',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
          kind === 'entry-point' || path.startsWith('@tallyroom/') ? undefined : { path, external: true },
        ),
    },
  ],
})

export const buildServer = () =>
  whenChanged(
    'server',
    { sources: ['contract', 'locales', 'postgres', 'server'], result: 'server/dist/main.js' },
    async () => {
      const { build, formatMessages, stop } = await import('esbuild')
      try {
        await build(serverBuild())
      } catch (error) {
        const words = error.errors
          ? await formatMessages(error.errors, { kind: 'error', color: process.stdout.isTTY })
          : [String(error)]
        throw new Stop(`${words.join('\n')}\nThe server could not be built.`)
      } finally {
        await stop()
      }
    },
  )

export const buildWeb = () =>
  whenChanged('web', { sources: ['contract', 'locales', 'web'], result: 'web/dist/sw.js' }, async () => {
    // Two builds share a folder, and neither may delete the other's files.
    rmSync(join(root, 'web/dist'), { recursive: true, force: true })
    const { code, output } = await node([programOf('vite'), 'build', '--logLevel=warn'], {
      cwd: join(root, 'web'),
      env: { NODE_ENV: 'production' },
    })
    if (code !== 0) throw new Stop(`${output}\nThe web pages could not be built.`)
  })

/** The guides at /docs. Without them the server does everything else, so they stop no start. */
export const buildGuides = () =>
  whenChanged(
    'guides',
    {
      sources: ['docs', 'CHANGELOG.md', 'SECURITY.md', 'scripts/site', 'web/src/entries', 'web/src/theme'],
      result: 'web/dist/docs/index.html',
    },
    async () => {
      const { buildSite } = await import('./site/build-site.mjs')
      await buildSite(join(root, 'web/dist/docs'))
    },
  ).catch((error) => console.error(`The guides at /docs could not be built: ${error.message}`))

/** The client as a package for npm, compiled and with its types, in `file`. */
export const packClient = async (file) => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-client-'))
  try {
    const { code, output } = await node([
      programOf('typescript', 'tsc'),
      '-p',
      'client/tsconfig.pack.json',
      '--outDir',
      join(folder, 'package'),
    ])
    if (code !== 0) throw new Error(output)
    const { private: _, ...manifest } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))
    const exports = { '.': { types: './index.d.ts', default: './index.js' } }
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ ...manifest, exports }, null, 2))
    const { status, stderr } = spawnSync('tar', ['-czf', file, '-C', folder, 'package'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`tar failed: ${stderr}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CLIENT = 'web/dist/docs/tallyroom-client.tgz'
/** Beside the guides, which tell platforms to install it from there. It stops no start either. */
export const buildClient = () =>
  whenChanged('client', { sources: ['client'], result: CLIENT }, () => packClient(join(root, CLIENT))).catch((error) =>
    console.error(`The client for platforms could not be built: ${error.message}`),
  )

/** Builds what has changed, the server beside the pages. */
export const build = async () => {
  const notice = setTimeout(() => console.log('Building…'), 150)
  try {
    await Promise.all([buildServer(), buildWeb().then(buildGuides).then(buildClient)])
  } finally {
    clearTimeout(notice)
  }
}
