import { createHmac } from 'node:crypto'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { type ApiRight, apiRights } from '@tallyroom/contract/api/rights'
import { CALLS_OF_KEY, SANDBOX_PER_SECOND } from '../../config/call-limits.ts'
import { IDLE_DAYS } from '../../retention/sandboxes.ts'
import { DATES, type FormDate } from '../dated/form.ts'
import { bytesOf } from '../../accounts/endpoints/secrets.ts'
import { ORIGIN, PREFIX } from '../samples.ts'
import { signatureOf } from '../signing.ts'
import { example, type Guide, recipes } from './recipes.ts'
import { EVENT_DAYS, MAX_ENDPOINTS } from '@tallyroom/contract/api/event-kinds'
import { SECONDS } from '../../lib/outbound/post.ts'
import { GAP_MINUTES, HOURS_OF_TRIES } from '../events/due.ts'

const client = `// call.ts
import { createHmac, randomUUID } from 'node:crypto'

const origin = '${ORIGIN}'
const key = process.env['TALLYROOM_KEY'] ?? ''
const secret = process.env['TALLYROOM_SECRET'] ?? ''

/** Makes a signed call and returns its data. A refusal is thrown by its name. */
export const call = async (name: string, body: object) => {
  const path = \`${PREFIX}/\${name}\`
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomUUID()
  const signature = createHmac('sha256', secret)
    .update(\`POST\\n\${path}\\n\${timestamp}\\n\${nonce}\\n\${text}\`)
    .digest('hex')
  const response = await fetch(\`\${origin}\${path}\`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Tallyroom-Key': key,
      'X-Tallyroom-Timestamp': timestamp,
      'X-Tallyroom-Nonce': nonce,
      'X-Tallyroom-Signature': signature,
    },
    body: text,
  })
  const { code, message, refusal, data } = await response.json()
  if (code !== 1000) throw new Error(\`\${refusal}: \${message}\`)
  return data
}
`

const receiver = `// receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** The secret of the endpoint, which begins with whsec_. */
const secret = Buffer.from((process.env['TALLYROOM_WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64')

/** Whether Tallyroom signed this webhook in the last five minutes. */
export const isSigned = (headers: IncomingHttpHeaders, body: string) => {
  const header = (name: string) => String(headers[\`webhook-\${name}\`] ?? '')
  const timestamp = header('timestamp')
  const hash = createHmac('sha256', secret).update(\`\${header('id')}.\${timestamp}.\${body}\`).digest('base64')
  const signature = Buffer.from(\`v1,\${hash}\`)
  // After a replacement there are two, with the new secret and the old one.
  const given = header('signature').split(' ').map((text) => Buffer.from(text))
  return (
    Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300 &&
    given.some((one) => one.length === signature.length && timingSafeEqual(one, signature))
  )
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  if (!isSigned(request.headers, body)) return response.writeHead(401).end()
  const { id, type, data } = JSON.parse(body)
  console.log(id, type, data) // Store the id: an event may arrive more than once.
  response.writeHead(204).end()
})
server.listen(Number(process.env['PORT'] ?? 8080))
`

const dated = `// dated.ts
import { createHmac, randomUUID } from 'node:crypto'

const origin = '${ORIGIN}'
const key = process.env['TALLYROOM_KEY'] ?? ''
const secret = process.env['TALLYROOM_SECRET'] ?? ''

/** Makes a signed call in the form of a date. With the same idempotency key it may be sent again. */
export const send = async (name: string, body: object, idempotencyKey?: string) => {
  const path = \`${PREFIX}/\${name}\`
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomUUID()
  const signed = idempotencyKey === undefined ? text : \`\${idempotencyKey}\\n\${text}\`
  const response = await fetch(\`\${origin}\${path}\`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Tallyroom-Version': '${DATES.at(-1)}',
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      'X-Tallyroom-Key': key,
      'X-Tallyroom-Timestamp': timestamp,
      'X-Tallyroom-Nonce': nonce,
      'X-Tallyroom-Signature': createHmac('sha256', secret)
        .update(\`POST\\n\${path}\\n\${timestamp}\\n\${nonce}\\n\${signed}\`)
        .digest('hex'),
    },
    body: text,
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(\`\${answer.refusal}: \${answer.detail}\`)
  return answer
}

if (process.argv[2] === 'give') {
  const [, , , username, amount, payment] = process.argv
  console.log(await send('points/give', { username, amount }, payment))
}
`

const sandbox = `// sandbox.ts
import { randomUUID } from 'node:crypto'
import { call } from './call.ts'

const write = (name: string, body: object) => call(name, { request_id: randomUUID(), ...body })
const ann = { third_party_id: \`ann-\${Date.now()}\` }

await write('member/add', ann)
await write('member/set', { ...ann, set: { withdraw_confirm: 1 } })
const { transaction_id } = await write('points/offer', { ...ann, amount: '5' })
const { status } = await write('sandbox/act', { ...ann, accepts: transaction_id })
await write('sandbox/act', { ...ann, says: 'Thank you!' })
const { data } = await call('balance/list', { third_party_ids: [ann.third_party_id] })
console.log(status, data[0].balance)
`

/** The differences of a form from the one before. */
const differences: Record<FormDate, string> = {
  '2026-12-01': 'problem details with true statuses, `Idempotency-Key`, times in UTC, and `after` in every list.',
}
const dateLines = DATES.map((date) => `- \`${date}\`: ${differences[date]}`).join('\n')

/** A call and an event with their signatures, for code that signs or checks. */
const known = {
  method: 'POST',
  path: `${PREFIX}/balance/list`,
  secret: 'not-a-secret-of-any-key-0123456789abcdefghij',
  timestamp: '1796047401',
  nonce: '5f0c6b1e-93d2-4c1a-8a43-0d6f1b2c3d4e',
  body: '{"usernames":["ann88"]}',
}
const repeatedSignature = signatureOf(known.secret, { ...known, body: `payment-4711\n${known.body}` })
const knownEvent = (() => {
  const { timestamp } = known
  const [secret, id] = ['whsec_bm90LWEtc2VjcmV0LW9mLWFueS1lbmRwb2ludC0wMTIz', '8e9c1c4e-6b1f-4a53-9c0e-2f4d1b7a9e05']
  const body = '{"type":"ping","timestamp":"2026-11-30T14:03:21.000Z","data":{}}'
  const signature = createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { secret, id, timestamp, body, signature }
})()

const callsWith = (right: ApiRight) =>
  (Object.keys(memberApi) as ApiName[]).filter((name) => memberApi[name].right === right)
const rightLines = apiRights
  .map((right) => {
    const calls = callsWith(right).map((name) => `\`${name}\``)
    return `- \`${right}\`: ${calls.join(', ')}${right === 'webhooks' ? '; the key signs webhooks' : ''}.`
  })
  .join('\n')

export const guides: Guide[] = [
  ...recipes,
  {
    id: 'signing',
    title: 'Signing a call',
    text: `Every call is a \`POST\` with a JSON body and four headers. Create a key and its secret under System settings.

- \`X-Tallyroom-Key\`: the id of your key, which begins with \`tk_\`, or with \`tks_\` in a sandbox.
- \`X-Tallyroom-Timestamp\`: seconds since 1970. It may be 300 seconds off.
- \`X-Tallyroom-Nonce\`: 16 to 64 letters, digits, - or _, never the same twice.
- \`X-Tallyroom-Signature\`: HMAC-SHA256 in hex, with your secret.

The signature covers the method, the path (with its query, if there is one), the timestamp and the nonce, each followed by a line feed, and then the body exactly as it is sent.

To check your own code: with the secret \`${known.secret}\`, a \`POST\` to \`${known.path}\`, the timestamp \`${known.timestamp}\`, the nonce \`${known.nonce}\` and the body \`${known.body}\` the signature is \`${signatureOf(known.secret, known)}\`.

A body has at most 256 KiB.`,
    samples: [{ lang: 'TypeScript', source: client }],
  },
  {
    id: 'keys',
    title: 'What a key may do',
    text: `A key reaches the accounts below its top account and makes only the calls that its rights allow. A new key has no rights. Give each of your servers its own key with the rights that it needs, and the addresses that it calls from.

${rightLines}

- A call without its right is refused with \`api.not_allowed\` and HTTP status 403; \`data.right\` names the right.
- An expired key gets \`api.key_expired\`, a call from another address \`api.wrong_address\`.
- Each key may make ${CALLS_OF_KEY} calls in a second, if the operator has not set another limit. A key with a lower rate of its own gets \`api.over_rate\`.
- A key acts as an account of its own, and the audit log names it. Under System settings it can have limits, above which what it moves waits for approval. If you replace a key, the new one has the same account and rights, and the old one works for another day.`,
    samples: [],
  },
  {
    id: 'answers',
    title: 'Answers and refusals',
    text: `Every answer is \`{code, message, data}\`. The code of a success is 1000.

A refusal has another code, its name in \`refusal\` (several names share a code), and \`data\` is null or has details. Most refusals come with HTTP status 200: decide by the name. The language of \`message\` is that of \`Accept-Language\`. The refusals below are possible for every call, some with a status of their own.

- \`request.invalid\` lists all fields that are wrong in \`data.errors\`, each with a \`pointer\` such as \`/usernames/0\` and the \`reason\` in English.
- A field that a call does not have is refused, so that a misspelt one is not lost. So is a key that is there twice.
- Texts may not have U+0000 or half a surrogate pair. Spaces around names are removed.
- Only \`POST\` with \`Content-Type: application/json\` is taken: other methods get 405, other types 415, and an address that is no call 404.`,
    samples: [],
  },
  {
    id: 'dated',
    title: 'Forms by date',
    text: `A call with the header \`Tallyroom-Version: ${DATES.at(-1)}\` does the same in another form. Without the header nothing changes, and a date is served for at least 24 months. A key can have a date of its own under System settings, for calls without the header; an empty header asks for the form without a date. Its own document is \`openapi.json?version=${DATES.at(-1)}\`.

- A success is the data alone, with status 200, or 202 while it waits for approval.
- A refusal is \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\` in the language of \`Accept-Language\`, \`instance\`, and \`refusal\`, \`code\` and what \`data\` has otherwise. Decide by \`refusal\`.
- Its status says what to do: 400 the call is not as the document says, 401 and 403 the key may not, 404 there is no such thing, 409 something else has happened to it, 422 a rule is against it or the id was used for other content, 429 and 503 wait as long as \`Retry-After\` says, 504 repeat it.
- \`Idempotency-Key\` may stand in place of \`request_id\`: 1 to 64 printable ASCII characters, such as the number of your payment. It is signed: put it and a line feed before the body. With \`payment-4711\` the signature that “Signing a call” has as an example is \`${repeatedSignature}\`. The answer to a repeat has \`Idempotency-Replayed: true\`. Two equal calls at once are carried out once, and both get its answer.
- All times are in UTC, as in ISO 8601. Days are still those of \`time_zone\` in \`platform/view\`.
- Every list with \`next\` takes it as \`after\`; \`transfer/list\` has no pages.`,
    samples: [{ lang: 'TypeScript', source: dated }],
  },
  {
    id: 'times',
    title: 'Times',
    text: `Times that end in \`Z\` are in UTC, as in ISO 8601: those of \`cash/list\`, \`platform/view\` and webhooks. \`transfer/list\` and the calls of the books take and return \`YYYY-MM-DD HH:mm:ss\` and \`YYYY-MM-DD\` in one time zone, which \`platform/view\` names as \`time_zone\`. Days begin at midnight there.`,
    samples: [],
  },
  {
    id: 'repeating',
    title: 'Repeating a call',
    text: `A call that writes needs a \`request_id\`, a UUID. If no answer arrives, or HTTP status 503 or 504, or the refusal \`server.busy\`, send the same call again with the same \`request_id\`, a new nonce and a new timestamp. It takes effect once and gets the same answer. After 429 wait the seconds that it names first.

After any other refusal, mend the cause and send the call with a new \`request_id\`. With the old one, calls that move points or change a request (\`points/…\`, \`cash/…\`) give the same refusal again; all other calls are tried again.

We know a \`request_id\` for at least 30 days after its first try. After that a repeated call is a new one, so do not repeat one later. With a UUID of version 7, which contains its time, a late repeat is refused with \`request.too_old\` and has no effect.

Bets, wins and voids are repeatable by their \`bet_id\`, without an end. So are lists of them, \`bet/reportMany\` and \`win/reportMany\`: repeat the whole list, or the rows whose result you do not have.`,
    samples: [],
  },
  {
    id: 'webhooks',
    title: 'Receiving webhooks',
    text: `Add an endpoint under System settings, or with \`endpoint/add\`: an address of your server, the events that it gets, and a secret that begins with \`whsec_\`. You can have ${MAX_ENDPOINTS}. We send each event as a \`POST\`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says, so a library for these can check it.

- \`webhook-id\` is the id of the event, \`webhook-timestamp\` the time of the attempt in seconds, and \`webhook-signature\` one or more signatures with spaces between: \`v1,\` and an HMAC-SHA256 in base64 over id, timestamp and body, with dots between. Its key are the bytes behind \`whsec_\`, in base64. To check your own code: with \`${knownEvent.secret}\`, the id \`${knownEvent.id}\`, the timestamp \`${knownEvent.timestamp}\` and the body \`${knownEvent.body}\` it is \`v1,${knownEvent.signature}\`.
- If you replace the secret, each event has a signature with the new one and with those before for 24 hours.
- We send to public addresses with https. To a private address, or one with http, we send only if the operator has set \`WEBHOOKS_INSIDE\`. Without an address, for example on your own machine, read events with \`event/list\`.
- The body is \`{type, timestamp, data, id, seq, member_seq}\`. The document lists the types under “Webhooks” with the body of the older form below, which has the same fields: \`event\` is \`type\`, and \`at\` is \`timestamp\`.
- Answer with any 2xx within ${SECONDS} seconds. Other answers are retried for ${HOURS_OF_TRIES} hours: after 5 and 30 seconds, 2, 10 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each up to a fifth more or less. A \`Retry-After\` of up to an hour counts.
- 410, or no success in five days, turns an endpoint off. System settings, a notification and the event \`endpoint.off\` to your other endpoints say so. Its events wait for ${EVENT_DAYS} days, also while you pause it.
- \`endpoint/gaps\` says what an endpoint has missed, and \`endpoint/resend\` sends it again. \`endpoint/ping\` tries it. These need the right \`webhooks\`; what changes endpoints needs \`endpoints\`.
- \`seq\` counts your events from 1 on without a gap, and \`member_seq\` those of each account, in the order in which they happened. Only what one of your endpoints gets is counted and kept. Events often arrive in another order: one with a lower \`member_seq\` than one that you know of the same account changes nothing. If a number is missing and does not come, read it: \`event/list\` returns all of them by number for ${EVENT_DAYS} days.
- An \`ordered\` endpoint gets the events of one account one after the other. A later one waits for an earlier one for at most ${GAP_MINUTES} minutes, then it goes with \`after_gap: true\`.
- An event may arrive more than once, with the same \`id\`. One about a person who was erased meanwhile arrives as \`erased\`.
- A paid request sends \`request.paid\` and \`transfer.settled\` for the same transfer. Bets and wins send nothing; a void sends \`bet.voided\`.`,
    samples: [{ lang: 'TypeScript', source: receiver }],
  },
  {
    id: 'key-webhooks',
    title: 'Webhooks in the older form',
    text: `The API URL under System settings is an endpoint in the older form. It works as before, by the same rules, but its body is \`{id, event, at, data, seq, member_seq}\`, and a key of yours signs it. Use an endpoint with a secret for a new receiver.

- Create a key with the right \`webhooks\` alone, under System settings. It only reads what your receiver gets anyway, so a public receiver can hold its secret. Without one, a key signs that has this right among others. Without any, nothing is sent.
- Check \`X-Tallyroom-Webhook-Signature\`: HMAC-SHA256 in hex, with the secret of that key, over the word \`webhook\` and a line feed, then the same text as for a call. The nonce is the id of the event.
- The signature covers the path and query as we send them. If a proxy changes them on the way, check with those of your API URL.
- One key signs, and \`X-Tallyroom-Key\` names it: the first that only signs webhooks, from the moment that it has the right, or else the first with that right. If you replace it, it signs until it stops working a day later, and then the new one does. What your receiver refuses meanwhile comes again.
- While the URL is empty, no events are kept for it, and those that wait go to the next one.
- \`webhook/ping\` sends \`ping\` to all your endpoints.

\`X-Tallyroom-Signature\`, without that word, is still sent for existing receivers. Do not use it for new ones.`,
    samples: [],
  },
  {
    id: 'requests',
    title: 'Paying a request',
    text: `A member's request for points is paid in the office, or by a key with the right \`cash:fulfil\`. Nobody else can pay it while it is taken. So never pay at the bank because of \`request.asked\`: take the request first.

- Points out: call \`cash/take\` with enough minutes and your own reference, then \`cash/view\`, which has the bank account as it is now. Pay at the bank, then call \`cash/pay\`.
- Points in: take the request in the same way, look for a payment of its \`amount\` at the account in \`pay_to\`, and call \`cash/pay\` with that amount when it has arrived.
- If you do not pay, call \`cash/refuse\`, or \`cash/giveBack\` for somebody else to decide. \`cash/renew\` gives you more time.
- If the time for points out ends without one of these calls, you may have paid: \`maybe_paid\` is true. The office sees the name of your key and your reference, and a person has to look at the bank before it is paid or refused. A key cannot take it again (\`cash.maybe_paid\`), and the member cannot cancel it. So if you come back after a crash, tell the office what your bank says; do not pay again.
- Store your reference before you pay, and let your bank refuse the same reference twice.
- \`cash/pay\` needs the points to move: with turnover due, a frozen member or a removed bank account it is refused. \`cash/view\` shows these before you pay.
- Points move between the member and the head of its group. Above a limit of the key the payment waits for approval, and the request stays yours until somebody has decided.

Events say what others do. \`request.taken\` names in \`operator\` who has the request, and may come again with another one. After \`request.released\` it is open again. \`request.paid\`, \`request.refused\`, \`request.withdrawn\` and \`request.expired\` are its end. A request may end without having been taken. Events may arrive in another order: one with a lower \`member_seq\` changes nothing, and what has ended stays so. \`cash/list\` has the present state.`,
    get samples() {
      return example('requests.ts')
    },
  },
  {
    id: 'accounts',
    title: 'Keeping accounts in step',
    text: `A key reaches the accounts below its top account, and what it changes goes by the rules of the office.

- Name accounts by your own ids. \`member/add\` and \`agent/add\` need no username: we make one up, and the answer has it. A member who signed up by a share link has no id of yours: \`member.added\` names it, and \`member/set\` gives it one.
- \`account/list\` with the \`next\` of its last answer as \`after\` returns all accounts. To find what is new, keep the last \`next\` that was not null, or begin again.
- \`agent/set\` changes credit, abilities and limits. Nobody gets what the agent above lacks (\`account.upline_has_not\`).
- Raised credit, abilities that are given and raised limits may need a second admin. Then the answer has \`approval\`: 1, and shows the account as it is until somebody decides. Your top account, which holds the key, does not decide it.
- Other admins are changed and signed out in the office alone.
- A changed bank account is warned of for a day before a payout.`,
    samples: [],
  },
  {
    id: 'talking',
    title: 'Writing to members',
    text: `A key with the right \`talk:write\` writes into the conversation of any member below its top account. Say with \`as\` what it is.

- \`notice\`: what your platform has to say, such as “your payment has arrived”. It answers nobody: a member who waits for your colleagues still waits. It can be sent at any time, also while the bot answers. The member finds it in the conversation, and gets no notification on the phone.
- \`answer\`: what a colleague would write. The member does not wait any more. It is refused with \`room.held\` while a colleague has the conversation, so that two do not answer at once, and with \`room.in_ai_hands\` while the bot answers. \`points/offer\` and \`cash/pay\` answer the member as well, whatever it has written.
- A member may write while you do. Send the newest \`seq\` that you have read as \`seen\`: what came after it still waits.
- To read a conversation, call \`message/list\` with the \`next\` of its last answer as \`after_seq\`, from time to time or after a webhook. \`room/list\` says who waits, since when, and who has it.
- Addresses of pictures and files are good for five minutes. Load them at once, and list the message again for a new one.`,
    get samples() {
      return example('messages.ts')
    },
  },
  {
    id: 'sandbox',
    title: 'Trying calls in a sandbox',
    text: `A key that begins with \`tks_\` works in the sandbox of your platform, in the same installation. Create one under System settings. It makes the same calls, up to ${SANDBOX_PER_SECOND} in a second, and reaches no account outside of it; other keys reach none inside.

- Points there are worth nothing. Nothing is pushed, sent by SMS or asked of an AI. Webhooks go to the endpoints that you add with a key of the sandbox. The office does not show these; \`endpoint/list\` does.
- \`sandbox/act\` makes a member write, send a photo, or answer what you have offered. \`cash/ask\` makes it ask for points.
- \`sandbox/passTime\` lets hours pass for red envelopes, requests for points, the time that a key has for one, and approvals. Tokens, webhooks and days of the books stay with the clock.
- These two need the right \`sandbox\`. With another key they are refused with \`api.only_in_sandbox\`.
- Usernames are unique in the whole installation. Name test accounts by your own ids.
- The sandbox is emptied by a button under System settings, and after ${IDLE_DAYS} days without a call. Keys and endpoints stay, and \`seq\` goes on.`,
    samples: [{ lang: 'TypeScript', source: sandbox }],
  },
  {
    id: 'versions',
    title: 'Versions',
    text: `The address names version 1. It only grows: calls, optional fields of requests, fields of answers, events and refusals are added, and none is removed or changes its meaning. So ignore fields, events and names of refusals that you do not know. A version that does otherwise will have another address, and version 1 is served for at least 24 months after that. \`platform/view\` says which version of Tallyroom answers.

The forms by date, with what each has changed:

${dateLines}`,
    samples: [],
  },
]

/** The guides as one text, for readers of the plain document. */
export const guideText = guides.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
