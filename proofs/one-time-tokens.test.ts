import { errors, OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { one, sql } from '../server/src/data/sql.ts'
import { issueToken } from '../server/src/identity/sign-in/tokens.ts'
import { startTestServer } from '../server/src/testing/app.ts'
import { bare } from '../server/src/testing/sign-in.ts'

// S11 in full. `npx vitest run --config proofs/vitest.config.ts one-time`; the regular test has 100 tokens.
const [BATCHES, TOKENS, TIMES] = [100, 10, 20]

test('[S11] 1,000 tokens, each used 20 times at once at two copies, open 1,000 sessions', async () => {
  const [first, second] = [await startTestServer(), await startTestServer()]
  const { agent, member } = await first.family()
  const { db } = first.services
  const count = () =>
    one<{ n: number }>(db, sql`select count(*)::int as n from sessions where account_id in (${agent.id}, ${member.id})`)
  const inputs = {
    agent: (token: string) => ({ agent_token: token, agent_username: agent.username }),
    landing: (token: string) => ({ landing_token: token }),
    widget: (token: string) => ({ widget_token: token }),
  }
  const before = (await count())?.n ?? 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const kinds = Array.from({ length: TOKENS }, (_, n) => (['agent', 'landing', 'widget'] as const)[n % 3] ?? 'agent')
    const tokens = await Promise.all(
      kinds.map(async (kind) => {
        const accountId = kind === 'widget' ? member.id : agent.id
        return { kind, token: await issueToken(db, { kind, accountId }) }
      }),
    )
    const replies = await Promise.all(
      tokens.flatMap(({ kind, token }) =>
        Array.from({ length: TIMES }, (_, n) => bare(n % 2 ? first : second)('login', inputs[kind](token))),
      ),
    )
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(TOKENS)
    expect(replies.filter(({ code }) => code === errors['code.no_sign_in'])).toHaveLength(TOKENS * (TIMES - 1))
  }
  expect((await count())?.n).toBe(before + BATCHES * TOKENS)
}, 600_000)
