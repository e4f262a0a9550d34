import { randomBytes } from 'node:crypto'
import { scenarios } from '../e2e/support/scenarios.ts'
import { argumentsOf } from '../server/src/cli/arguments.mjs'
import { node, root } from './shell.mjs'

// `npm run seed -- NAME` beside a running server (`npm run dev`): accounts, rooms and points to look at.
const {
  words: [name = ''],
} = argumentsOf('seed')
const scenario = scenarios[name]
const url = process.env.URL ?? `http://localhost:${process.env.PORT ?? 3000}`

/** The word behind `--password` is what the command reads where a person types it. */
const account = async (...words: string[]) => {
  const at = words.indexOf('--password') + 1
  const given = at ? words.toSpliced(at, 1) : words
  const { code, output } = await node([`${root}scripts/run.mjs`, 'account', ...given], {
    input: `${words[at] ?? ''}\n`,
  })
  if (code !== 0) throw new Error(output.trim())
}

const seed = async () => {
  if (!scenario) throw new Error(`There is no scenario "${name}", but: ${Object.keys(scenarios).join(', ')}`)
  const isRunning = await fetch(`${url}/readyz`).catch(() => undefined)
  if (!isRunning?.ok)
    throw new Error(`No server answers at ${url}: start one with npm run dev, or give its address as URL=…`)
  // Each run makes a family of its own, so that it can be repeated.
  const family = `s${randomBytes(2).toString('hex')}`
  const { members, shareCode } = await scenario({ url, account, name: family, password: 'secret1' })
  console.log(`All passwords are secret1.`)
  console.log(`  back office  ${url}/login  ${family}admin, ${family}agent, ${family}cs`)
  console.log(`  members      ${url}/m      ${members.join(', ') || 'none yet'}`)
  console.log(`  sign up      ${url}/Signup/${shareCode}`)
}

try {
  await seed()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
