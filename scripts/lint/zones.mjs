import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Features that may import another one, each with the reason. Code that two features need belongs in web/src/domain. */
const featureCrossings = [
  { from: 'account', to: 'points', why: 'the lists open the dialog that moves points' },
  { from: 'room', to: 'template', why: 'the composer of a room takes quick replies' },
  { from: 'room', to: 'points', why: 'a room opens the dialog that moves points' },
  { from: 'cash', to: 'points', why: 'a request is paid in the same dialog' },
  { from: 'room', to: 'bank', why: 'the toolbar of a room opens the bank accounts and the turnover of its member' },
  {
    from: 'setting',
    to: 'bank',
    why: 'what the top account decides about bank accounts is a part of the system settings',
  },
  {
    from: 'setting',
    to: 'receiving',
    why: 'where the members of a group pay is a part of its settings',
  },
  { from: 'statement', to: 'transfer', why: 'a movement opens its transfer' },
  { from: 'home', to: 'account', why: 'the first steps open the dialog that adds an account' },
  { from: 'tree', to: 'account', why: 'the tree opens the dialog that adds an account' },
  { from: 'tree', to: 'points', why: 'the tree opens the dialog that moves points' },
  { from: 'setting', to: 'account', why: 'the limits of a key of the member API are those of its account' },
  { from: 'right', to: 'account', why: 'beside its rights, what else an account may do is edited' },
  { from: 'room', to: 'cash', why: 'the card of a cash request opens it, as the queue does' },
  { from: 'room', to: 'account', why: 'in the palette, acts on the person of a room include freezing' },
  ...['account', 'audit', 'bank', 'cash', 'note', 'points', 'right', 'room', 'transfer', 'tree'].map((to) => ({
    from: 'profile',
    to,
    why: 'the page of an account puts together what other pages show of it',
  })),
  { from: 'bell', to: 'approval', why: 'a decision looks as in the list of approvals' },
  { from: 'approval', to: 'cash', why: 'what waits for approval is listed like requests for points' },
]

/**
 * Floors from the ground up: a folder or file imports only from those before it, types included. Folders on one floor do
 * not import each other.
 */
const floors = {
  'server/src': [
    ['paths.ts'],
    ['adapters'],
    ['lib'],
    ['config'],
    ['data'],
    ['domain'],
    ['identity'],
    ['live'],
    ['chat'],
    ['ledger'],
    ['accounts'],
    ['retention'],
    ['doctor'],
    ['services.ts'],
    ['calls'],
    ['http'],
    ['member-api'],
    ['workers'],
    ['start'],
    ['cli', 'demo'],
    ['main.ts'],
  ],
  // '.' is the files of chat itself: rooms, messages, and how they look to each side.
  'server/src/chat': [['files'], ['.'], ['bell'], ['desk'], ['bot'], ['push']],
  'web/src': [
    ['adapters', 'lib'],
    ['i18n'],
    ['api'],
    ['theme'],
    ['ui'],
    ['media'],
    ['domain'],
    ['chat/model'],
    ['chat/view'],
    ['member'],
    ['features'],
    ['app'],
    ['entries'],
  ],
  'web/src/features/room': [['state'], ['alerts', 'desk', 'search'], ['list', 'panel'], ['page']],
}
/** The folder or file of the list that a path belongs to, with its floor. '.' is the files that are in no folder. */
const floorOf = (path, root) => {
  const inside = path.slice(root.length + 1)
  for (const [level, names] of floors[root].entries()) {
    const name = names.find(
      (name) => inside === name || inside.startsWith(`${name}/`) || (name === '.' && !inside.includes('/')),
    )
    if (name) return { level, name }
  }
  return undefined
}
const isAbove = (from, to) =>
  Object.keys(floors).some((root) => {
    if (!from.startsWith(`${root}/`) || !to.startsWith(`${root}/`) || isTest(from)) return false
    const [a, b] = [floorOf(from, root), floorOf(to, root)]
    if (a?.name === 'features' && b?.name === 'app') return false
    return a !== undefined && b !== undefined && a.name !== b.name && b.level >= a.level
  })

const top = (path) => path.split('/')[0]
/** room.ts, room/list.ts and room.test.ts all belong to the noun `room`. */
const noun = (path, folder) =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split(/[/.]/)[0] : undefined
/** A file's noun: `conversation/room` of calls/conversation/room.ts and room/list.ts, `index` of calls/index.ts. */
const callNoun = (path) => /^server\/src\/calls\/(?:([^/.]+)\.|([^/]+\/[^/.]+)[/.])/.exec(path)?.slice(1).find(Boolean)
const isTest = (path) => /\.test\.tsx?$/.test(path)

/** Forbidden imports: [what is forbidden, what to do instead]. Paths are relative to the root. */
const rules = [
  {
    forbids: isAbove,
    instead:
      'a folder imports only from those below it (floors in scripts/lint/zones.mjs), types included: move what both need down, or declare the part you use',
  },
  {
    forbids: (from, to) => top(from) === 'contract' && top(to) !== 'contract',
    instead: 'contract imports nothing of ours: move what both need into contract',
  },
  {
    forbids: (from, to) =>
      top(from) === 'locales' && !['locales', ...(isTest(from) ? ['contract', 'scripts'] : [])].includes(top(to)),
    instead: 'locales imports nothing of ours: pass the values in',
  },
  {
    forbids: (from, to) => top(from) === 'postgres' && top(to) !== 'postgres',
    instead: 'postgres imports nothing of ours: it is a package of its own, so pass in what it needs',
  },
  {
    forbids: (from, to) => top(from) === 'client' && top(to) !== 'client' && !isTest(from),
    instead:
      'client imports nothing of ours: platforms have it without the rest, and its types are written from the contract',
  },
  {
    forbids: (from, to) => top(from) === 'examples' && !['client', 'examples'].includes(top(to)) && !isTest(from),
    instead: 'an example imports only the client: platforms have nothing else of ours',
  },
  {
    forbids: (from, to) => top(from) === 'web' && top(to) === 'server',
    instead: 'web never imports server: what both promise each other belongs into contract',
  },
  {
    forbids: (from, to, isType) =>
      top(from) === 'web' &&
      !isType &&
      !isTest(from) &&
      !from.startsWith('web/src/testing/') &&
      /^contract\/(calls\/|index|call|fields|code-fields|events|member-api)/.test(to),
    instead:
      'the browser imports only types of calls: their schemas would load zod with the page. Move the value to a file of contract without schemas',
  },
  {
    forbids: (from, to) => top(from) === 'server' && top(to) === 'web',
    instead: 'server never imports web: what both promise each other belongs into contract',
  },
  {
    forbids: (from, to) =>
      ['contract', 'locales', 'postgres', 'server', 'web'].includes(top(from)) &&
      ['e2e', 'bench', 'scripts'].includes(top(to)) &&
      !isTest(from),
    instead: 'the product never imports its tests, benches or scripts',
  },
  {
    forbids: (from, to) =>
      top(from) === 'server' &&
      !isTest(from) &&
      !from.startsWith('server/src/testing/') &&
      to.startsWith('server/src/testing/'),
    instead: 'server/src/testing is for tests only',
  },
  {
    forbids: (from, to) =>
      top(from) === 'web' && !isTest(from) && !from.startsWith('web/src/testing/') && to.startsWith('web/src/testing/'),
    instead: 'web/src/testing is for tests only',
  },
  {
    forbids: (from, to) => {
      const [a, b] = [callNoun(from), callNoun(to)]
      return (
        !isTest(from) &&
        a !== undefined &&
        b !== undefined &&
        a !== b &&
        !['index', 'handler'].includes(b) &&
        a !== 'index'
      )
    },
    instead: 'server/src/calls/* never import each other: move what both need up into server/src',
  },
  {
    forbids: (from, to) => {
      const [a, b] = [noun(from, 'web/src/features'), noun(to, 'web/src/features')]
      return a !== undefined && b !== undefined && a !== b && !featureCrossings.some((c) => c.from === a && c.to === b)
    },
    instead:
      'web/src/features/* cross only by the list in scripts/lint/zones.mjs: move what both need into web/src/domain, or add a line there that says why',
  },
  {
    forbids: (from, to) => from.startsWith('web/src/features/') && to.startsWith('web/src/app/'),
    instead: 'web/src/features never import web/src/app: move what both need into web/src/domain or web/src/ui',
  },
  {
    forbids: (from, to) => /^web\/src\/app\/(shell|palette)\//.test(from) && to.startsWith('web/src/features/'),
    instead: 'the shell and the palette import no feature: register what it adds in web/src/app/office.tsx',
  },
  {
    forbids: (from, to) =>
      /^web\/src\/(api|domain|i18n|lib|media|theme|ui)\//.test(from) && /^web\/src\/(app|entries|features)\//.test(to),
    instead: 'web/src/{api,domain,i18n,lib,media,theme,ui} import neither the app nor its features: pass the values in',
  },
]

/** The imported file relative to the root, or undefined when it is a package of others. */
const target = (file, specifier) => {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(dirname(file), specifier))
  const ours = /^@tallyroom\/(\w+)(?:\/(.*))?$/.exec(specifier)
  return ours ? `${ours[1]}/${ours[2] ?? 'index'}.ts` : undefined
}

/** The error of this import, or undefined. */
export const zoneBreach = (file, specifier, { isType = false } = {}) => {
  const to = target(file, specifier)
  if (to === undefined) return undefined
  return rules.find(({ forbids }) => forbids(relative(ROOT, file), to, isType))?.instead
}
