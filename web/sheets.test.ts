import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Selector, transform } from 'lightningcss'
import postcss from 'postcss'
import { expect, test } from 'vitest'
import { LAYERS } from './layers.ts'
import config from './vite.config.ts'

const source = fileURLToPath(new URL('src/', import.meta.url))
const paths = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.css'))

const folderOf = (path: string) => /^features\/[^/]+|^[^/]+/.exec(path)?.[0] ?? ''

/** What the class names of a folder begin with, where that is not the folder's own name. */
// biome-ignore format: one name per line would fill the page.
const beginnings: Record<string, string[]> = {
  app: [
    'crumbs', 'error', 'jump', 'offline-bar', 'page', 'palette', 'share', 'shell', 'side', 'skip', 'theme', 'to-top',
    'toolbar', 'user-button',
  ],
  chat: ['c', 'room-waiting'],
  domain: ['amount', 'name-link', 'report', 'tree', 'wallet', 'wallets'],
  entries: ['controls', 'docs', 'offline'],
  'features/account': [
    'abilities', 'ability', 'account', 'bot', 'limit', 'own', 'proof', 'qr', 'recovery', 'secret', 'self', 'set-up',
    'share',
  ],
  'features/approval': ['approval', 'change'],
  'features/bank': ['bank', 'flow'],
  'features/cash': ['last-look', 'request'],
  'features/file': ['api', 'file'],
  'features/home': ['first-steps', 'home', 'zone-step'],
  'features/profile': ['profile'],
  'features/report': ['reconciliation', 'work'],
  'features/right': ['right', 'rights'],
  'features/room': ['chat', 'found', 'messaging', 'panel', 'room', 'service-chat'],
  'features/session': ['landing', 'second', 'sign-in'],
  'features/setting': ['api', 'colour', 'setting'],
  'features/statement': ['period', 'seal', 'sheet', 'statement'],
  'features/template': ['c-variable', 'q', 't'],
  'features/transfer': ['drawer', 'id-copy'],
  member: ['m'],
}
/** The vocabulary of all folders above them. */
const shared = ['theme', 'ui']

/** The elements without a class that a folder draws. */
const elements: Record<string, string[]> = { app: ['#main', 'main', 'body'], member: ['[data-brand]'] }

type Part = Selector[number]
const insideOf = (part: Part): Selector[] =>
  part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where' || part.kind === 'has')
    ? part.selectors
    : []
const classesOf = (selector: Selector): string[] =>
  selector.flatMap((part) => (part.type === 'class' ? [part.name] : insideOf(part).flatMap(classesOf)))
/** The class, for a selector that is nothing but this class in some state. */
const onlyClassOf = (selector: Selector): string | undefined => {
  const [first, ...rest] = selector
  const isAlone = rest.every(({ type }) => type === 'pseudo-class') && classesOf(selector).length === 1
  return first?.type === 'class' && isAlone ? first.name : undefined
}
/** Whether a part of the selector is as asked, in each alternative where it has some. */
const hasPart = (selector: Selector, isAsked: (part: Part) => boolean): boolean =>
  selector.some((part) => {
    const inside = insideOf(part)
    return isAsked(part) || (inside.length > 0 && inside.every((one) => hasPart(one, isAsked)))
  })
/** The part as a sheet writes it. */
const written = (part: Part) => {
  if (part.type === 'class') return `.${part.name}`
  if (part.type === 'id') return `#${part.name}`
  if (part.type === 'attribute') return `[${part.name}]`
  return part.type === 'type' ? part.name : ''
}

const selectors = paths.flatMap((path) => {
  const found: { path: string; where: string; selector: Selector }[] = []
  transform({
    filename: path,
    code: readFileSync(source + path),
    visitor: {
      Rule: {
        style: ({ value }) => {
          for (const selector of value.selectors)
            found.push({ path, where: `web/src/${path}:${value.loc.line + 1}`, selector })
        },
      },
    },
  })
  return found
})

/** By class, the sheets that style it on its own. */
const homes = new Map<string, Set<string>>()
for (const { path, selector } of selectors) {
  const name = onlyClassOf(selector)
  if (name) homes.set(name, (homes.get(name) ?? new Set()).add(path))
}

test('every sheet is in the cascade layer of its folder', () => {
  const postcssOptions = config({ command: 'build', mode: 'production' }).css?.postcss
  const plugins = typeof postcssOptions === 'object' ? postcssOptions.plugins : []
  for (const path of paths) {
    const { root } = postcss(plugins).process(readFileSync(source + path, 'utf8'), { from: source + path })
    const rules = root.nodes.map((node) => (node.type === 'atrule' ? `${node.name} ${node.params}` : node.type))
    expect(rules, path).toEqual([
      `layer ${LAYERS.join(', ')}`,
      `layer ${path === 'theme/base.css' ? 'base' : path.split('/')[0]}`,
    ])
  }
})

test('a sheet styles only what has a class of its folder, or is below one', () => {
  const alone = selectors.flatMap(({ path, where, selector }) => {
    const folder = folderOf(path)
    if (shared.includes(folder)) return []
    const own = beginnings[folder] ?? [folder.replace('features/', '')]
    const isOwn = (name: string) =>
      elements[folder]?.includes(name) ||
      own.some((beginning) => name === `.${beginning}` || name.startsWith(`.${beginning}-`))
    return hasPart(selector, (part) => isOwn(written(part)))
      ? []
      : [`${where}: begin with a class whose name begins with ${own.join(', ')}`]
  })
  expect(alone).toEqual([])
})

test('a class is styled on its own in one sheet only', () => {
  // Colours of the dark theme, and those of its accents.
  homes.delete('dark')
  const twice = [...homes].filter(([, sheets]) => sheets.size > 1)
  expect(twice.map(([name, sheets]) => `.${name}: keep its rules in one of ${[...sheets].join(' ')}`)).toEqual([])
})

test('a sheet names no class of a layer above it', () => {
  const rankOf = (path: string) => LAYERS.indexOf(path.split('/')[0] ?? '')
  const upwards = selectors.flatMap(({ path, where, selector }) =>
    classesOf(selector).flatMap((name) => {
      const [home = path] = homes.get(name) ?? []
      return rankOf(home) > rankOf(path) ? [`${where}: move the rule of .${name} to web/src/${home}`] : []
    }),
  )
  expect(upwards).toEqual([])
})
