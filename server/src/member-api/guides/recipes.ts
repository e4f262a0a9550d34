import { readFileSync } from 'node:fs'
import { serverPath } from '../../paths.ts'
import { type CodeSample, ORIGIN } from '../samples.ts'

/** A part of the document that is not about one call. Texts are Markdown with `code` and lists only. */
export type Guide = { id: string; title: string; text: string; readonly samples: CodeSample[] }

/** A file of the example platform, which a test runs. Only the document reads it, so a server starts without it. */
export const example = (file: string): CodeSample[] => {
  const source = readFileSync(serverPath(`../examples/platform/${file}`), 'utf8')
  return [{ lang: 'TypeScript', source: `// ${file}\n${source}` }]
}
const recipe = (id: string, title: string, file: string, text: string): Guide => ({
  id,
  title,
  text,
  get samples() {
    return example(file)
  },
})

/** Guides to what platforms do, with the client. */
export const recipes: Guide[] = [
  recipe(
    'client',
    'With the client',
    'tallyroom.ts',
    `The client makes each call a typed method: \`points/give\` is \`tallyroom.points.give\`. It needs no other package and runs in Node 20, Deno and Workers. Install it from your installation, so that it knows the same calls: \`npm install ${ORIGIN}/docs/tallyroom-client.tgz\`. Without it, sign calls as the guide “Signing a call” says.

The examples are ES modules in TypeScript: put \`"type": "module"\` into your \`package.json\`. Node 22.18 and later run them as they are, Node 20 with \`npx tsx\`.

- A call is repeated when no answer arrives and after 429, 502, 503 and 504, at most five times, and takes effect once. \`idempotencyKey\` names a write, so that another process can repeat it within 30 days.
- A refusal is thrown as a \`TallyroomProblem\` with \`refusal\`, \`status\`, \`errors\` and \`retryAfter\`; \`isRefused(error, 'transfer.frozen')\` asks for one. After \`TallyroomUnanswered\` nobody knows whether the write took effect: repeat it with the \`idempotencyKey\` of the error.
- \`await\` a list for its first page, or go through all rows with \`for await\`.
- It speaks the form of a date: times are in UTC, and amounts are decimal text.`,
  ),
  recipe(
    'members',
    'Creating members',
    'members.ts',
    'Name members by your own ids: then you need no username. A player who has a member already is refused with `account.third_party_id_taken`. The key needs `accounts:write`.',
  ),
  recipe(
    'opening',
    'Opening the conversation in a tab',
    'sign-in.ts',
    'Ask for the address when the player clicks, and redirect to it at once. The key needs `signin` and nothing else: keep it apart from that of your other servers.',
  ),
  recipe(
    'widget',
    'Signing a member in to the widget',
    'widget.ts',
    'The widget asks the address in `data-sign-in` of your page for a token. The address is on the origin of your page, takes the player from your own session, and nothing of it goes to a log. The key needs `signin`.',
  ),
  recipe(
    'bets',
    'Reporting bets and wins',
    'bets.ts',
    'Report rounds in lists, in their order. Each row has its own result, and a list may be sent again. If a round ends in an error, give its bet back with `bet/void`. The key needs `bets`.',
  ),
  recipe(
    'balances',
    'Reading balances',
    'balances.ts',
    'Amounts are text with four decimals. Calculate with whole numbers of 1/10000, never with floating-point numbers. The key needs `accounts:read`.',
  ),
  recipe(
    'transfers',
    'Copying transfers',
    'transfers.ts',
    'Go through the transfers of a time, such as an hour that is over. `points/view` looks one up. The key needs `statements`.',
  ),
  recipe(
    'taking',
    'Taking webhooks with the client',
    'webhooks.ts',
    `\`receive\` checks the signature, drops what comes twice, and reads what is missing with \`event/list\`, so each event is handled in the order of its number. Store the number in your database; if \`onEvent\` does so in its own transaction, each event takes effect exactly once. Call \`catchUp\` at the start. Let one process handle the events. The key needs \`webhooks\`; the one that adds the endpoint, \`endpoints\`.`,
  ),
  recipe(
    'agents',
    'Adding agents',
    'agents.ts',
    'An agent has its own members and points. Credit may wait for a second admin; until then the agent has none, and the event `agent.added` does not say it. Ask `account/view` for the credit. The key needs `accounts:write`.',
  ),
  recipe(
    'credit',
    'Changing the credit of an agent',
    'credit.ts',
    'A raise may wait for a second admin: `approval` is 1 then, and all else is changed. The key needs `accounts:write`.',
  ),
  recipe(
    'promotion',
    'Giving points to many members',
    'promotion.ts',
    'Make the `idempotencyKey` from the promotion and the player: a program that stopped halfway is simply started again. A frozen member is refused with `transfer.frozen`. To show it in the conversation, use `points/offer`. Above a limit of the key it waits for approval (`approval`: 1), and `approval.ended` says how it ended. The key needs `points:give`.',
  ),
  recipe(
    'freezing',
    'Freezing a member',
    'freeze.ts',
    'A frozen member is signed out at once, and everything that would move its points is refused. The event `member.changed` tells your other servers. The key needs `accounts:write`.',
  ),
  recipe(
    'notices',
    'Telling a member that it was paid',
    'notices.ts',
    'A notice answers nobody: a member who waits for your colleagues still waits. Name it after the payment, so that it is said once. The key needs `talk:write`.',
  ),
  recipe(
    'statements',
    'Statements for your accounting',
    'statements.ts',
    'Days begin at midnight in the `time_zone` of `platform/view`, not of your server: read the day before after that midnight. `opening + in - out = closing`. The key needs `statements`.',
  ),
]
