import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract } from '@tallyroom/contract'
import { memberApi } from '@tallyroom/contract/member-api'
import { expect, test } from 'vitest'
import { settingGroups } from '../server/src/config/setting-groups.ts'
import { metaOf } from '../server/src/config/env.ts'
import { apiPage } from './api-page.ts'
import { clientCalls } from './client-calls.ts'
import { commandsPage } from './commands-page.ts'
import { envExample, settingsPage } from './settings-page.ts'
import { anchorOf } from './site/anchors.mjs'

// What the documents name exists: links, commands, files, settings. Each list is empty when it does.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))

const documents = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('bench/results/'))
const texts = documents.map((path) => [path, read(path)] as const)
/** Every folder, and every file by its whole path and by each of its ends: `hub.ts`, `live/hub.ts`. */
const names = new Set(
  tracked.flatMap((path) => {
    const parts = path.split('/')
    const ends = parts.map((_, at) => parts.slice(at).join('/'))
    const folders = parts.slice(0, -1).flatMap((_, at) => {
      const folder = parts.slice(0, at + 1)
      return folder.map((_, from) => folder.slice(from).join('/'))
    })
    return [...ends, ...folders]
  }),
)

const anchors = (path: string) => new Set((read(path).match(/^#+ .*$/gm) ?? []).map(anchorOf))

test('every link of a document leads to a file, and to a heading in it', () => {
  const broken = texts.flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].flatMap(([, link, image]) => {
      const target = link ?? image ?? ''
      if (/^(https?|mailto):/.test(target)) return []
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? path : normalize(join(dirname(path), file))
      if (!existsSync(join(root, to))) return [`${path} links to ${target}, which is not there`]
      return anchor && !anchors(to).has(anchor) ? [`${path} links to ${target}: ${to} has no such heading`] : []
    }),
  )
  expect(broken).toEqual([])
})

test('every command of a document is a script of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const unknown = texts.flatMap(([path, text]) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].flatMap(([, name = '']) =>
      name in scripts ? [] : [`${path} says npm run ${name}, which package.json does not have`],
    ),
  )
  expect(unknown).toEqual([])
})

/** Made while the program or a bench runs, or an example: no file of the repository. */
const NO_FILE = /^(data|release|test-results|results|deploy\/tallyroom)\/|NOUN|NUMBER|NAME|FILE|DATA_DIR|[*{…]|\.\.\./

/** The folders directly in one, such as those of `server/src`. */
const foldersIn = (folder: string) => [
  ...new Set(tracked.flatMap((path) => new RegExp(`^${folder}/([^/]+)/`).exec(path)?.[1] ?? [])),
]
/** A name that begins with one of these is a folder or a file, unless it is a call. */
const ROOTS = new Set([
  'client',
  'contract',
  'examples',
  'locales',
  'postgres',
  'server',
  'web',
  'e2e',
  'proofs',
  'bench',
  'scripts',
  'deploy',
  ...[...foldersIn('server/src'), ...foldersIn('web/src')].filter((name) => name !== 'data'),
])

/** A protocol of OpenTelemetry, and a name of metrics and traces. */
const NO_FOLDER = new Set(['http/json', 'member-api/bet'])

test('every file that a document names exists', () => {
  const missing = texts.flatMap(([path, text]) =>
    [...text.matchAll(/`([\w@./-]+)`/g)].flatMap(([, name = '']) => {
      const isFile = /^[\w@.-]+(\/[\w@.-]+)*\.(ts|tsx|mjs|sql|css|html|md|yml|yaml|cfg|conf|service)$/.test(name)
      const isFolder = /^[\w-]+\/[\w./-]*$/.test(name) && ROOTS.has(name.slice(0, name.indexOf('/')))
      if ((!isFile && !isFolder) || name in contract || name in memberApi || NO_FOLDER.has(name) || NO_FILE.test(name))
        return []
      return names.has(name.replace(/\/$/, '')) ? [] : [`${path} names ${name}, which is not there`]
    }),
  )
  expect(missing).toEqual([])
})

test('ARCHITECTURE has every folder, and no other', () => {
  const page = read('docs/ARCHITECTURE.md')
  const part = (heading: string) => page.slice(page.indexOf(heading)).split(/\n##+ /)[0] ?? ''
  /** The names in the first cells of a table. */
  const listed = (heading: string) =>
    [...part(heading).matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)/g)].map(([, name]) => name),
    )
  const shared = 'testing'
  for (const [heading, folder] of [
    ['### Server', 'server/src'],
    ['### Browser', 'web/src'],
  ] as const)
    expect(new Set([...listed(heading), shared])).toEqual(new Set(foldersIn(folder)))
  const roots = [...part('## Folders').matchAll(/^(\w+)\/ /gm)].map(([, name = '']) => name)
  expect(new Set([...roots, 'docs'])).toEqual(new Set(tracked.flatMap((path) => /^(\w+)\//.exec(path)?.[1] ?? [])))
})

/** Lines of prose: without code blocks, tables, pictures and headings, and without the addresses of links. */
const proseOf = (text: string) => {
  let inCode = false
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*```/.test(line)) inCode = !inCode
    if (inCode || /^\s*(\||<img|!\[|#|```)/.test(line)) return []
    return [{ number: at + 1, text: line.replaceAll(/\]\([^)]*\)/g, ']') }]
  })
}

test('every document wraps at 100 columns', () => {
  // A prompt is read by a model as it is: each of its rules is one line.
  const wide = texts
    .filter(([path]) => !path.startsWith('server/prompts/'))
    .flatMap(([path, text]) =>
      proseOf(text).flatMap((line) =>
        line.text.length > 100 ? [`${path}:${line.number} has ${line.text.length} columns: wrap it at 100`] : [],
      ),
    )
  expect(wide).toEqual([])
})

test('decisions are numbered without gaps', () => {
  const numbers = documents.flatMap((path) => /^docs\/decisions\/(\d+)-/.exec(path)?.[1] ?? []).map(Number)
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})

/** Words of the older decisions that have more than 400. The list only becomes shorter, and so do they. */
const LONG: Record<string, number> = {
  5: 508,
  8: 427,
  15: 513,
  18: 578,
  25: 548,
  26: 454,
  29: 560,
  32: 468,
  34: 687,
  35: 666,
  36: 445,
  37: 702,
  38: 650,
  39: 417,
  41: 681,
  44: 682,
  46: 520,
  47: 492,
  51: 446,
}
const MAX_WORDS = 400

test('a decision has a date and a status, and about 300 words', () => {
  const known = new Set(documents)
  const wrong = texts.flatMap(([path, text]) => {
    const number = Number(/^docs\/decisions\/(\d+)-/.exec(path)?.[1])
    if (!number) return []
    const head = new RegExp(`^# ${number}\\. \\S.*\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\n\\nStatus: (accepted|replaced)`)
    const words = text.slice(text.indexOf('\n## ')).trim().split(/\s+/).length
    const [, follower] = /^Status: replaced[^[]*\[decision \d+\]\((.*?)\)/m.exec(text) ?? []
    return [
      ...(head.test(text) ? [] : [`${path}: begin with its number and title, "Date: YYYY-MM-DD" and "Status: …"`]),
      ...(/^Status: replaced/m.test(text) && !known.has(`docs/decisions/${follower}`)
        ? [`${path}: say by which decision it was replaced`]
        : []),
      ...(words > (LONG[number] ?? MAX_WORDS) ? [`${path} has ${words} words: move figures to bench/results`] : []),
    ]
  })
  expect(wrong).toEqual([])
})

test('[CODE-05] every setting has a description, and is in one group', () => {
  const settings = settingGroups.flatMap(({ shape }) => Object.entries(shape))
  expect(settings.length).toBeGreaterThan(100)
  const silent = settings.filter(([, kind]) => !/^[A-Z`\d[].*\.$/.test(metaOf(kind).description ?? ''))
  expect(silent.map(([name]) => name)).toEqual([])
  const names = settings.map(([name]) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('[CODE-05] the README is short, and the lists of commands and settings are those of the program', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(81)
  const written = {
    'docs/commands.md': commandsPage(),
    'docs/settings.md': settingsPage(),
    'docs/api.md': apiPage(),
    'client/calls.ts': clientCalls(),
    '.env.example': envExample(),
  }
  const stale = Object.entries(written).filter(([path, text]) => read(path) !== text)
  expect(stale.map(([path]) => `${path}: run npm run reference`)).toEqual([])
})

test('[CODE-05] every picture is one that npm run pictures makes', () => {
  const made = [...read('scripts/pictures.ts').matchAll(/\bname: '([\w-]+)'/g)].map(
    ([, name]) => `docs/pictures/${name}.webp`,
  )
  const kept = tracked.filter((path) => /^docs\/.*\.(png|webp|jpe?g|gif|svg)$/.test(path))
  expect(kept.filter((path) => !made.includes(path))).toEqual([])
})
