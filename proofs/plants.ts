import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npx tsx proofs/plants.ts [WORD]`: plants one bug after another into a copy of the source; each must make its test fail.

type Plant = { bug: string; file: string; from: string; to: string; test: string; title: string; isBuilt?: boolean }

const MATRIX = 'server/tests/matrix.test.ts'
const SECOND_FACTOR = 'server/src/identity/sign-in/second-factor.test.ts'
const KILLS = { test: 'e2e/process/kill.test.ts', title: 'a kill during transfers', isBuilt: true }
/** R18: removes what makes the ledger safe. */
const withoutIdempotency = {
  file: 'server/src/ledger/engine/batch.ts',
  from: '  const termsOf = await findTerms(tx, orders)\n',
  to: `  orders = orders.map((order) =>
    'request' in order ? { ...order, request: { ...order.request, id: crypto.randomUUID() } } : order)
  const termsOf = await findTerms(tx, orders)\n`,
}
const plants: Plant[] = [
  { bug: 'ledger without idempotency, R1', ...withoutIdempotency, ...KILLS },
  {
    bug: 'ledger without idempotency, R11',
    ...withoutIdempotency,
    test: 'server/src/ledger/engine/ledger.test.ts',
    title: 'one request ten times at once',
  },
  {
    bug: 'ledger that answers before the commit, R1',
    file: 'server/src/ledger/engine/ledger.ts',
    from: 'const run = (orders: Order[]) => db.transact((tx) => runBatch(tx, { hub, frame: settings, orders }))',
    to: `const run = (orders: Order[]) => new Promise<Outcome[]>((resolve, reject) => {
      void db.transact(async (tx) => {
        const outcomes = await runBatch(tx, { hub, frame: settings, orders })
        resolve(outcomes)
        await new Promise((later) => setTimeout(later, 20))
        return outcomes
      }).catch(reject)
    })`,
    ...KILLS,
  },
  {
    bug: 'ledger without its lock, R10',
    file: 'server/src/ledger/engine/load/load.ts',
    from: 'order by id for no key update`',
    to: 'order by id`',
    test: 'server/src/ledger/engine/ledger.test.ts',
    title: 'while five hot accounts',
  },
  {
    bug: 'a repeated request is answered with words that were taken back',
    file: 'server/src/chat/send-message.ts',
    from: '  return toAnswer(message, row, rooms)\n}\n\nconst attempt',
    to: '  return replay(outcome, message) as Message\n}\n\nconst attempt',
    test: 'server/src/calls/conversation/message.test.ts',
    title: 'both sides get the event at once',
  },
  {
    bug: 'a photo that was taken back is served',
    file: 'server/src/chat/media.ts',
    from: 'and m.taken_back_at is null and case',
    to: 'and case',
    test: 'server/src/calls/conversation/message.test.ts',
    title: 'a photo is no longer served',
  },
  {
    bug: 'the list keeps the words of a message that was taken back',
    file: 'server/src/chat/take-back.ts',
    from: 'if (message.isLast) Object',
    to: 'if (message.isLate) Object',
    test: 'server/src/calls/conversation/message.test.ts',
    title: 'the list says so',
  },
  {
    bug: 'the await before the password check is missing',
    file: 'server/src/identity/passwords.ts',
    from: 'const right = await queued(',
    to: 'const right = queued(',
    test: 'server/src/calls/sign-in/session.test.ts',
    title: 'unknown, wrong, frozen',
  },
  {
    bug: 'wrong codes are counted by challenge instead of by account',
    file: 'server/src/calls/sign-in/session.ts',
    from: 'byCodes(waiting.accountId)',
    to: 'byCodes(waiting.idHash.readInt32BE())',
    test: SECOND_FACTOR,
    title: 'wrong codes count for the account',
  },
  {
    bug: 'any auth_done is taken',
    file: 'server/src/identity/sign-in/login.ts',
    from: '!(await takeProof(ctx, found.id, input.auth_done))',
    to: '!input.auth_done',
    test: SECOND_FACTOR,
    title: '210 ways',
  },
  {
    bug: 'a proof is not bound to its browser',
    file: 'server/src/identity/sign-in/challenge.ts',
    from: 'and (cookie_hash is null or cookie_hash = any(',
    to: 'and (true or cookie_hash = any(',
    test: SECOND_FACTOR,
    title: 'does not work after two minutes',
  },
  {
    bug: 'guesses are counted by address alone',
    file: 'server/src/identity/sign-in/login.ts',
    from: 'byAccount(found.id)) : byName',
    to: 'byAddress(caller.address)) : byName',
    test: 'server/src/identity/sign-in/throttle.test.ts',
    title: 'many at once count like one after another',
  },
  {
    bug: 'a used step of the authenticator is forgotten',
    file: 'server/src/identity/sign-in/codes.ts',
    from: ' and totp_step < ${step} returning',
    to: ' and ${step}::bigint > 0 returning',
    test: SECOND_FACTOR,
    title: 'of an authenticator',
  },
  {
    bug: 'a row of the policy is missing',
    file: 'server/src/identity/policy.ts',
    from: "  'user/delete': { ...heads, action: 'delete' },\n",
    to: '',
    test: MATRIX,
    title: 'the policy and the requirements name the same roles',
  },
  {
    bug: 'a row of the policy lets more roles in',
    file: 'server/src/identity/policy.ts',
    from: "'audit/list': admin",
    to: "'audit/list': heads",
    test: MATRIX,
    title: 'the policy and the requirements name the same roles',
  },
  {
    bug: 'a call without rights is let through',
    file: 'server/src/http/dispatch.ts',
    from: 'if (actor && !may(actor, name))',
    to: 'if (actor && !may(actor, name) && !actor)',
    test: MATRIX,
    title: 'audit/list',
  },
  {
    bug: 'a socket is opened without a session',
    file: 'server/src/live/sockets.ts',
    from: 'next(Object.assign(new Error(name), { data: error instanceof Refused ? error.data : {} }))',
    to: 'next()',
    test: SECOND_FACTOR,
    title: '210 ways',
  },
]

const word = process.argv[2] ?? ''
const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'tallyroom-plants-'))
const parts = [
  'contract',
  'locales',
  'postgres',
  'server',
  'e2e',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
for (const part of parts) {
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) })
}
for (const folder of ['.', 'contract', 'locales', 'server']) {
  const modules = join(root, folder, 'node_modules')
  if (existsSync(modules)) symlinkSync(modules, join(copy, folder, 'node_modules'))
}

/** Builds the copy's server for tests that start it; not with `buildServer`, whose stamps are beside the real modules. */
const build = `import { build } from 'esbuild'; import { serverBuild } from './scripts/build.mjs'; await build(serverBuild())`

const passes = ({ test, title, isBuilt }: Plant) => {
  if (isBuilt && spawnSync(process.execPath, ['--input-type=module', '-e', build], { cwd: copy }).status !== 0)
    throw new Error('the copy could not be built')
  return spawnSync('npx', ['vitest', 'run', test, '-t', title], { cwd: copy, encoding: 'utf8' }).status === 0
}

let failures = 0
const say = (isGood: boolean, line: string) => {
  if (!isGood) failures++
  process.stdout.write(`${isGood ? '✓' : '✗'} ${line}\n`)
}
try {
  for (const plant of plants.filter(({ bug }) => bug.includes(word))) {
    const path = join(copy, plant.file)
    const source = readFileSync(path, 'utf8')
    if (source.split(plant.from).length !== 2) {
      say(false, `${plant.file} does not hold "${plant.from}" once: update the plant`)
      continue
    }
    writeFileSync(
      path,
      source.replace(plant.from, () => plant.to),
    )
    const unseen = passes(plant)
    writeFileSync(path, source)
    const sound = passes(plant)
    say(
      !unseen && sound,
      `${plant.bug}: ${unseen ? 'no test sees it' : sound ? 'seen' : 'its test fails without it too'}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exitCode = failures ? 1 : 0
