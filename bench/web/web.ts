import type { Browser, Page } from '@playwright/test'
import en from '../../locales/en.ts'
import { one, sql } from '../../server/src/data/sql.ts'
import { openBrowser } from '../lib/browser.ts'
import { describeMachine } from '../lib/machine.ts'
import { makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { alternate } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import { buildRivals, serveRival } from './rivals.ts'
import { type Visit, visit } from './visit.ts'

buildRivals()
const server = await openServer({ withPages: true })
const { db, url } = server
await makePeople(db, { role: 4, under: [await topAccount(db)], each: 25, prefix: 'm' })
const shared = await one<{ code: string }>(db, sql`select share_code as code from accounts where role_id = 1`)
if (!shared) throw new Error('There is no top account.')
const rivals = { admin: await serveRival('admin'), starter: await serveRival('starter') }
const browser = await openBrowser()

/** Does something once in a fresh browser and returns its cookies and storage. */
const stateAfter = async (on: Browser, action: (page: Page) => Promise<void>) => {
  const context = await on.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await action(page)
  const state = await context.storageState()
  await context.close()
  return state
}
const office = await stateAfter(browser, async (page) => {
  await page.goto(`${url}/login`)
  await page.getByLabel(en['session.login'], { exact: true }).fill('admin')
  await page.getByLabel(en['session.password'], { exact: true }).fill(server.password)
  await page.getByRole('button', { name: en['session.enter'], exact: true }).click()
  await page.getByRole('navigation', { name: en['shell.menu'] }).waitFor()
})
const member = await stateAfter(browser, async (page) => {
  await page.goto(`${url}/Signup/${shared.code}`)
  await page.getByLabel(en['member.username'], { exact: true }).fill('newcomer')
  await page.getByLabel(en['member.password'], { exact: true }).fill('secret1')
  await page.getByLabel(en['member.password_again'], { exact: true }).fill('secret1')
  await page.getByRole('button', { name: en['member.sign_up_now'] }).click()
  await page.getByLabel(en['message.write']).fill('hello')
  await page.getByLabel(en['message.write']).press('Enter')
  await page.getByRole('log').getByText('hello').waitFor()
})
const admin = await stateAfter(browser, async (page) => {
  await page.goto(rivals.admin.url)
  await page.evaluate(`localStorage.setItem('signed_in', '1')`)
})

const button = (page: Page) => page.getByRole('button', { name: /sign in|log ?in/i })
const pages = {
  signIn: {
    address: `${url}/login`,
    there: (page) => page.getByRole('button', { name: en['session.enter'], exact: true }),
  },
  adminSignIn: { address: `${rivals.admin.url}/#/login`, there: button },
  starterSignIn: { address: `${rivals.starter.url}/login`, there: button },
  index: { address: `${url}/index`, state: office, there: (page) => page.getByRole('main').getByRole('heading') },
  chat: { address: `${url}/chat`, state: office, there: (page) => page.getByText('newcomer') },
  users: { address: `${url}/user`, state: office, there: (page) => page.getByText('m00007') },
  adminList: { address: `${rivals.admin.url}/#/members`, state: admin, there: (page) => page.getByText('member7') },
  starterList: { address: rivals.starter.url, there: (page) => page.getByText('member7') },
  signUp: { address: `${url}/Signup/${shared.code}`, there: (page) => page.getByLabel(en['member.password_again']) },
  member: { address: `${url}/m`, state: member, there: (page) => page.getByRole('log').getByText('hello') },
} satisfies Record<string, Visit>
type Name = keyof typeof pages

// Each visit is a first visit: only the servers need warming up, and earlier rounds did that.
const names = Object.keys(pages) as Name[]
const visits = Object.fromEntries(names.map((name) => [name, () => visit(browser, pages[name])])) as Record<
  Name,
  () => ReturnType<typeof visit>
>
const seen = await alternate(visits, { warmUps: 0 })
const of = (name: Name) => medians(seen[name])
const row = (title: string, name: Name) => {
  const { largest, blocking, work, wire, gzip, shift } = of(name)
  return [title, largest, blocking, work, gzip, wire, shift.toFixed(3)]
}
const head = [
  '',
  'largest paint, ms',
  'blocking, ms',
  'since asked for, ms',
  'script, KB gzip',
  'as it came, KB',
  'shift',
]
const share = (ours: Name, theirs: Name, what: 'gzip' | 'work') => of(ours)[what] / of(theirs)[what]
const ownNames = ['signIn', 'index', 'chat', 'users', 'signUp', 'member'] as const

report({
  name: 'web',
  title: 'Web: pages opened for the first time on a slow line',
  machine: describeMachine(server.postgres),
  tables: [
    {
      caption: 'Signing in',
      rows: [
        head,
        row('Tallyroom', 'signIn'),
        row('react-admin', 'adminSignIn'),
        row('Ant Design starter', 'starterSignIn'),
      ],
    },
    {
      caption: 'A list of 25 members, and what else comes first',
      rows: [
        head,
        row('Tallyroom, /user', 'users'),
        row('Tallyroom, /index', 'index'),
        row('Tallyroom, /chat', 'chat'),
        row('react-admin', 'adminList'),
        row('Ant Design starter', 'starterList'),
      ],
    },
    { caption: "The member's page", rows: [head, row('signing up', 'signUp'), row('its talk', 'member')] },
  ],
  ratios: [
    {
      what: 'script of the sign-in: ours / react-admin',
      value: share('signIn', 'adminSignIn', 'gzip'),
      aim: { most: 0.5 },
    },
    {
      what: 'script of the sign-in: ours / starter',
      value: share('signIn', 'starterSignIn', 'gzip'),
      aim: { most: 0.667 },
    },
    { what: "member's page, signing up: KB of script by gzip", value: of('signUp').gzip, aim: { most: 120 } },
    { what: "member's page, its talk: KB of script by gzip", value: of('member').gzip, aim: { most: 120 } },
    {
      what: 'blocking of the sign-in: ours / react-admin',
      value: share('signIn', 'adminSignIn', 'work'),
      aim: { most: 0.5 },
    },
    {
      what: 'blocking of the sign-in: ours / starter',
      value: share('signIn', 'starterSignIn', 'work'),
      aim: { most: 0.5 },
    },
    {
      what: 'blocking of the list: ours / react-admin',
      value: share('users', 'adminList', 'work'),
      aim: { most: 0.5 },
    },
    { what: 'blocking of the list: ours / starter', value: share('users', 'starterList', 'work'), aim: { most: 0.5 } },
    {
      what: 'layout shift, the largest of our pages',
      value: Math.max(...ownNames.map((name) => of(name).shift)),
      aim: { most: 0.05 },
    },
  ],
  notes: [
    `The processor is four times slower, the line carries 1.6 Mbit/s with 150 ms there and back; nothing is in the cache. Blocking is what tasks take beyond 50 ms: since the first paint, which is Lighthouse's number and favours pages that paint late, and since the page was asked for, which the ratios compare. A visit ends when nothing has been loaded or worked at for one and a half seconds.`,
    'The rivals (bench/web/rivals) are built by the same Vite for the same browsers and sent pressed by the same brotli. react-admin is as its tutorial has it, one bundle with its own sign-in and list; the starter loads each page when it is needed. Their rows are part of their script: unlike ours they ask no server, have no session, no rights, one language and no live connection.',
  ],
  rounds: seen,
})

await browser.close()
for (const rival of Object.values(rivals)) rival.close()
await server.close()
