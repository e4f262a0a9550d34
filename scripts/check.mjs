import { argumentsOf } from '../server/src/cli/arguments.mjs'
import { install } from './install.mjs'
import { main, node, programOf, root } from './shell.mjs'
import { openTranslations } from './words/marks.mjs'

const tsc = (project) => [programOf('typescript', 'tsc'), '--pretty', 'false', '--singleThreaded', '-p', project]
/**
 * All checks run side by side: with one thread each they need half of the processor time. Those written in Go keep nearly
 * all that they allocate until they end, so collecting garbage less often saves a sixth of it.
 */
const cheaply = { NO_COLOR: '1', GOMAXPROCS: '1', GOGC: '400' }

/** Each check of the repository, and what to do when it fails. */
const parts = [
  {
    name: 'format',
    remedy: 'npm run format',
    args: () => [programOf('@biomejs/biome', 'biome'), 'format', '.', '--max-diagnostics=20'],
  },
  {
    name: 'lint',
    remedy: 'mend them; a suppression gives its reason',
    args: () => [
      programOf('oxlint'),
      '--type-aware',
      '--report-unused-disable-directives-severity=error',
      '--threads=1',
    ],
  },
  {
    name: 'types',
    remedy: 'mend them',
    args: () => tsc('tsconfig.json'),
  },
  {
    name: 'types of the web',
    remedy: 'mend them',
    args: () => tsc('web/tsconfig.json'),
  },
  {
    name: 'types of component tests',
    remedy: 'mend them',
    args: () => tsc('web/tsconfig.tests.json'),
  },
  {
    name: 'types of the service worker',
    remedy: 'mend them',
    args: () => tsc('web/worker/tsconfig.json'),
  },
  ...['member', 'session'].map((page) => ({
    name: `types of the ${page} page`,
    remedy: 'name a word of this page in locales/pages.ts',
    args: () => tsc(`web/tsconfig.${page}.json`),
  })),
  {
    name: 'SQL',
    remedy: 'mend the query or its row type; after a migration run npm run schema',
    args: () => [programOf('tsx'), 'scripts/schema/main.ts', '--check'],
  },
  {
    name: 'dead code',
    remedy: 'delete what nobody uses; what only its own file uses needs no export',
    args: () => [programOf('knip'), '--no-progress'],
  },
  {
    name: 'tidy',
    remedy: 'each message says what',
    args: () => [programOf('vitest'), 'run', '--project=tidy', '--reporter=dot'],
  },
]

const MAX_ERRORS = 20
/**
 * The errors of a compiler, what others follow from first: a name that the contract does not know makes an error of each
 * call in the repository.
 */
const shortened = (output) => {
  const errors = output.split(/\n(?=\S)/)
  if (errors.length <= MAX_ERRORS) return output
  const isCause = (error) => /^(contract|locales)\//.test(error)
  const sorted = [...errors.filter(isCause), ...errors.filter((error) => !isCause(error))]
  return [
    ...sorted.slice(0, MAX_ERRORS),
    `…and ${errors.length - MAX_ERRORS} more, most of them because of these.`,
  ].join('\n')
}

await main(async () => {
  install()
  const began = Date.now()
  const wanted = parts.filter(({ name }) => name !== 'tidy' || !argumentsOf('check').flags['without-tidy'])
  const outcomes = await Promise.all(
    wanted.map(async (part) => ({ ...part, ...(await node(part.args(), { env: cheaply })) })),
  )
  const broken = outcomes.filter(({ code }) => code !== 0)
  // What cannot be compiled has no types for the linter, and no words for the light pages.
  const isUncompiled = broken.some(({ name, output }) => name === 'types' && /^(contract|locales)\//m.test(output))
  const isAfterEffect = ({ name }) => isUncompiled && name !== 'types' && /^(types|lint)/.test(name)
  for (const part of broken.filter((one) => !isAfterEffect(one)))
    console.log(`── ${part.name}\n${shortened(part.output.trim())}\n`)
  for (const part of broken)
    console.log(
      `✗ ${part.name}: ${isAfterEffect(part) ? 'mend the types of contract/ and locales/ first' : part.remedy}`,
    )
  const open = openTranslations(root)
  if (open) console.log(`  ${open}`)
  if (broken.length === 0)
    console.log(`✓ ${wanted.map(({ name }) => name).join(', ')} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  else process.exitCode = 1
})
