import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { fakeFetch } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { ApiPage } from './api-page.tsx'
import { type Call, DOCUMENT, type Document } from './document.ts'
import { answerLinesOf, linesOf } from './schema-lines.ts'

const content = (schema: object, example: unknown) => ({ content: { 'application/json': { schema, example } } })
const call = (summary: string, part: string): Call => ({
  tags: [part],
  summary,
  description: `${summary} with \`username\`.`,
  requestBody: content(
    { properties: { username: { type: 'string', description: 'The name.' } }, required: ['username'] },
    { username: 'ann88' },
  ),
  responses: { 200: content({ properties: { data: { properties: { id: { type: 'integer' } } } } }, { code: 1000 }) },
  'x-refusals': [{ status: 200, code: 1404, name: 'account.not_found', message: 'Account not found.' }],
  'x-codeSamples': [
    { lang: 'cURL', source: `curl https://tallyroom.example # ${summary}` },
    { lang: 'TypeScript', source: `await call('${summary}')` },
  ],
})
const document: Document = {
  info: { title: 'API', description: '' },
  servers: [{ url: '/member-api/v1' }],
  tags: [
    { name: 'Accounts', description: 'Members and agents.' },
    { name: 'Bets', description: 'Bets and wins.' },
  ],
  paths: {
    '/member/add': { post: call('Create a member', 'Accounts') },
    '/bet/report': { post: call('Report a bet', 'Bets') },
  },
  webhooks: {
    'member.added': {
      post: { summary: 'A member was added.', requestBody: content({}, { event: 'member.added' }) },
    },
  },
  'x-guides': [
    { id: 'signing', title: 'Signing a call', text: 'Sign it.\n\n- `X-Key`: your key.', samples: [] },
    { id: 'answers', title: 'Answers and refusals', text: 'An answer.', samples: [] },
  ],
  'x-refusals': [{ status: 429, code: 1429, name: 'request.too_often', message: 'Too many attempts.' }],
}

/** Other tests of this worker go on with it. */
const kept = globalThis.IntersectionObserver
beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', (url: string, init?: { body?: string }) =>
    url === DOCUMENT ? Promise.resolve(new Response(JSON.stringify(document))) : fakeFetch(url, init),
  )
})
afterEach(() => {
  vi.stubGlobal('fetch', fakeFetch)
  vi.stubGlobal('IntersectionObserver', kept)
})

const opened = async () => {
  const { user } = await renderOffice(<ApiPage />)
  await screen.findByRole('heading', { name: /^Create a member/ })
  return user
}
const block = (name: string) => screen.getByRole('region', { name })

test('[SET-06] each call has its address, fields, refusals and an anchor, and the index leads to all of them', async () => {
  await opened()
  const entry = screen.getByRole('region', { name: 'Create a member' })
  expect(entry.id).toBe('member-add')
  expect(entry.textContent).toContain('POST /member-api/v1/member/add')
  expect(entry.textContent).toContain('The name.')
  expect(entry.textContent).toContain('account.not_found')
  expect(within(entry).getByRole('link', { name: t('file.link_to', { name: 'Create a member' }) })).toHaveProperty(
    'hash',
    '#member-add',
  )
  expect(screen.getByRole('region', { name: 'Answers and refusals' }).textContent).toContain('HTTP 429 · 1429')
  const [index] = screen.getAllByRole('navigation', { name: t('file.contents') })
  const links = within(index as HTMLElement).getAllByRole<HTMLAnchorElement>('link')
  expect(links.map(({ hash }) => hash)).toEqual([
    '#signing',
    '#answers',
    '#member-add',
    '#bet-report',
    '#event-member-added',
  ])
  for (const { hash } of links) expect(window.document.querySelectorAll(hash)).toHaveLength(1)
  expect(links.filter((link) => link.getAttribute('aria-current'))).toHaveLength(1)
})

test('[SET-06] the language of one example is that of all, also at the next visit, and the copy is what is shown', async () => {
  const user = await opened()
  expect(block('Report a bet, cURL').textContent).toBe(`curl ${window.location.origin} # Report a bet`)
  const [typeScript] = screen.getAllByRole('button', { name: 'TypeScript' })
  if (!typeScript) throw new Error('there is no choice of a language')
  await user.click(typeScript)
  expect(block('Report a bet, TypeScript').textContent).toBe("await call('Report a bet')")
  expect(block('Create a member, TypeScript').textContent).toBe("await call('Create a member')")
  await user.click(button(`${t('file.copy_example')}: Report a bet`))
  expect(await navigator.clipboard.readText()).toBe("await call('Report a bet')")
  window.document.body.replaceChildren()
  await opened()
  expect(block('Report a bet, TypeScript')).toBeTruthy()
})

test('[SET-06] required fields come first, and a list of choices is not read as a choice of lists', () => {
  const choice = { type: 'array', items: { enum: [1, 2] } }
  const lines = linesOf({ properties: { types: choice, start: { type: 'string' } }, required: ['start'] })
  expect(lines.map(({ name, type }) => [name, type])).toEqual([
    ['start', 'string'],
    ['types[]', '(1 | 2)[]'],
  ])
  const kinds = { anyOf: [1, 2, 3, 4, 5, 6].map((value) => ({ const: value })) }
  const or = { anyOf: [...kinds.anyOf, { type: 'null' }] }
  const ranges = linesOf({ properties: { kinds: { type: 'array', items: kinds }, kind: or } })
  expect(ranges.map(({ type }) => type)).toEqual(['(1–6)[]', '1–6 | null'])
  const number = { type: 'integer', minimum: 1 }
  const limits = linesOf({
    properties: {
      minutes: { ...number, maximum: 15, default: 5 },
      id: { ...number, maximum: Number.MAX_SAFE_INTEGER },
      total: { ...number, minimum: Number.MIN_SAFE_INTEGER },
    },
  })
  expect(limits.map(({ type }) => type)).toEqual(['integer (1–15), default 5', 'integer (1 or more)', 'integer'])
  expect(answerLinesOf({ properties: { approval: { const: 1 } } }).map(({ type }) => type)).toEqual([
    '1, may be absent',
  ])
})
