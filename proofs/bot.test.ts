import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { afterAll, expect, test } from 'vitest'
import { type Client, signIn, signUp } from '../e2e/support/client.ts'
import { consoleOf } from '../e2e/support/console.ts'
import { type Server, startServer } from '../e2e/support/server.ts'
import { openEndpoint, saying } from '../server/src/testing/fakes/endpoint.ts'

// `npx vitest run --config proofs/vitest.config.ts bot` after a build.
const ROUNDS = 12
const MEMBERS = 6
/** The bot's lease is two seconds longer: an answer whose process was killed waits that long. */
const env = { AI_MODEL: 'little', AI_TIMEOUT_MS: '4000' }
const MAX_WAIT = 60_000

const cleaning: (() => unknown)[] = []
afterAll(async () => {
  for (const clean of cleaning.reverse()) await clean()
})

const until = async (isSo: () => boolean | Promise<boolean>, what: () => unknown) => {
  for (const end = performance.now() + MAX_WAIT; !(await isSo()); ) {
    if (performance.now() > end) throw new Error(`not in time: ${JSON.stringify(what())}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const settle = async (server: Server) => {
  const added = await consoleOf(server, 'account', 'add agent dora --under admin --password secret1'.split(' '))
  if (added.code !== 0) throw new Error(added.output)
  const admin = await signIn(server.url, 'admin', server.password)
  const dora = await signIn(server.url, 'dora', 'secret1')
  const { id, share_code } = await dora.call('user/view', {})
  await admin.call('user/saveAbilities', { id, chat_ai_bot_visible: 1 })
  await dora.call('ai/save', { ai_rooms: 1 })
  const names = Array.from({ length: MEMBERS }, (_, n) => `asker${n}`)
  return await Promise.all(
    names.map(async (name) => {
      const client: Client = await signUp(server.url, share_code, name)
      return { name, client, code: (await client.call('room/list', {})).data[0]?.code ?? '' }
    }),
  )
}

test('[R1] [ROOM-09] the server killed in the middle of the bot’s answers: each question is answered, once', async () => {
  const endpoint = await openEndpoint()
  cleaning.push(endpoint.close)
  const start = (on: { dataDir?: string; port?: number } = {}) =>
    startServer({ ...on, env: { ...env, AI_URL: endpoint.url } })
  let server = await start()
  cleaning.push(() => server.remove())
  const members = await settle(server)
  const echo = saying(({ body }) => `to ${body.messages.at(-1)?.content}`)
  const talkOf = async ({ client, code }: (typeof members)[number]) =>
    (await client.call('room/history', { code, per_page: 100 })).messages.map(({ content }) => content)
  const ask = (round: string) =>
    Promise.all(
      members.map(({ client, code, name }) =>
        client.call('sendMessage', {
          code,
          type: MessageType.text,
          content: `${name} ${round}`,
          request_id: randomUUID(),
        }),
      ),
    )
  const answered = (round: string) =>
    Promise.all(
      members.map((member) =>
        until(
          async () => (await talkOf(member)).includes(`to ${member.name} ${round}`),
          () => [member.name, round, server.output()],
        ),
      ),
    )
  const rounds = Array.from({ length: ROUNDS }, (_, n) => `q${n}`)

  for (const [n, round] of rounds.entries()) {
    const before = endpoint.asked.length
    if (n % 2 === 0) {
      // While the endpoint is still working.
      endpoint.answer = () => {}
      await ask(round)
      await until(
        () => endpoint.asked.length === before + MEMBERS,
        () => [round, server.output()],
      )
    } else {
      // While answers are written, at varying moments.
      endpoint.answer = echo
      await ask(round)
      await until(
        () => endpoint.asked.length > before,
        () => [round, server.output()],
      )
      await new Promise((resolve) => setTimeout(resolve, n * 3))
    }
    await server.kill()
    endpoint.answer = echo
    server = await start({ dataDir: server.dataDir, port: Number(new URL(server.url).port) })
    await answered(round)
  }
  // Anything that a dead process left behind would come before the answers to these.
  await ask('last')
  await answered('last')
  for (const member of members) {
    const wanted = [...rounds, 'last'].flatMap((round) => [`${member.name} ${round}`, `to ${member.name} ${round}`])
    expect(await talkOf(member)).toEqual(wanted)
  }
  const questions = (ROUNDS + 1) * MEMBERS
  const askedAgain = endpoint.asked.length - questions
  expect(askedAgain).toBeGreaterThanOrEqual((ROUNDS / 2) * MEMBERS)
  process.stdout.write(`${JSON.stringify({ kills: ROUNDS, questions, askedAgain })}\n`)
}, 900_000)
