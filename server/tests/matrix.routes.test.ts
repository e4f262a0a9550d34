import { callNames } from '@tallyroom/contract'
import { isOffice, isOperator, MessageType, Role } from '@tallyroom/contract/codes'
import { memberApi } from '@tallyroom/contract/member-api'
import sharp from 'sharp'
import { io } from 'socket.io-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeApp } from '../src/http/app.ts'
import { makeSessions } from '../src/identity/sessions.ts'
import { serveMemberApi } from '../src/member-api/route.ts'
import { type TestServer, startTestServer } from '../src/testing/app.ts'
import { hashOfAll, makeWorld, type World } from '../src/testing/rights/matrix.ts'
import { chainOf, groupOf, isInRoom, type Name, names, sees, tree } from '../src/testing/rights/matrix-tree.ts'

/** The authorization matrix of everything that is not a call (for calls: matrix.test.ts), with the same accounts. */

const topOf = (name: Name): Name => chainOf(name).at(-1) ?? name

type Image = { what: string; path: string; mayRead: (who: Name) => boolean }
let server: TestServer
let world: World
let images: Image[]
beforeAll(async () => {
  server = await startTestServer({
    PUBLIC_URL: 'https://talk.example',
    SECURITY_CONTACT: 'mailto:security@talk.example',
  })
  world = await makeWorld(server)
  images = await makeImages()
}, 60_000)

/** One image of each kind for each account that has one, and who may load it. */
const makeImages = async (): Promise<Image[]> => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const picture = `data:image/png;base64,${png.toString('base64')}`
  const made: Image[] = []
  for (const name of names.filter((one) => tree[one].role === Role.member && one !== 'frozen')) {
    const { content } = await world.people[name].call('sendMessage', {
      code: world.of[name]?.code ?? '',
      type: MessageType.image,
      content: picture,
    })
    made.push({ what: `photo in the room of ${name}`, path: content, mayRead: (who) => isInRoom(who, name) })
  }
  for (const name of names.filter((one) => isOperator(tree[one].role))) {
    const head = world.people[name]
    await head.call('message-template/create', { title: 'pic', content: 'pic', image: picture })
    const { data } = await head.call('message-template/list', {})
    const path = data.find(({ title }) => title === 'pic')?.image ?? ''
    made.push({
      what: `quick reply of ${name}`,
      path,
      mayRead: (who) => isOffice(tree[who].role) && groupOf(who) === name,
    })
    const ofHouse = (who: Name) => topOf(who) === topOf(name)
    await head.call('user/edit', { id: head.id, thumbnail: picture })
    made.push({ what: `avatar of ${name}`, path: (await head.call('user/view', {})).thumbnail, mayRead: ofHouse })
    await head.call('setting/save', { background_image: picture })
    const { background_image } = await head.call('setting/view', {})
    made.push({ what: `background of ${name}`, path: background_image, mayRead: ofHouse })
  }
  return made
}

/** The callers: each account, an agent-login session, and invalid tokens. */
const askers = () => {
  const { expired, ended, frozen, agentLogin } = world.tokens
  const living = names
    .filter((name) => name !== 'frozen')
    .map((name) => ({ who: name as string, name, token: world.people[name].token }))
  const dead = Object.entries({ none: undefined, unknown: 'x'.repeat(43), expired, ended, frozen })
  return {
    living: [...living, { who: 'agentLogin', name: 'agent' as const, token: agentLogin }],
    dead: dead.map(([who, token]) => ({ who, token })),
  }
}
const get = async (path: string, token?: string) => {
  const answer = await fetch(`${server.address}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  return { status: answer.status, body: await answer.text() }
}

describe('[S1] [S4] images', () => {
  test('each is served to those who may see it, and missing for others', async () => {
    expect(images.map(({ path }) => path).filter((path) => !/^\/media\/[0-9a-f]{32}$/.test(path))).toEqual([])
    const wrong: string[] = []
    const absent = await get(`/media/${'0'.repeat(32)}`, world.people.top.token)
    const { living, dead } = askers()
    for (const { what, path, mayRead } of images) {
      const asked = [
        ...living.map(({ who, name, token }) => ({ who, token, expected: mayRead(name) })),
        ...dead.map((one) => ({ ...one, expected: false })),
      ]
      const answers = await Promise.all(asked.map(({ token }) => get(path, token)))
      asked.forEach(({ who, expected }, at) => {
        const got = answers[at]
        if ((got?.status === 200) !== expected) wrong.push(`${who} → ${what}: ${got?.status}`)
        else if (!expected && JSON.stringify(got) !== JSON.stringify(absent))
          wrong.push(`${who} → ${what}: ${got?.body}`)
      })
    }
    expect(wrong).toEqual([])
  })
})

describe('[S1] [S14] sockets', () => {
  const words = (token: string | undefined) =>
    new Promise<string>((resolve) => {
      const socket = io(server.address, {
        path: '/socket',
        auth: { token },
        transports: ['websocket'],
        reconnection: false,
      })
      const end = (word: string) => {
        socket.disconnect()
        resolve(word)
      }
      socket.once('connect', () => end('open'))
      socket.once('connect_error', ({ message }) => end(message))
    })

  test('each account joins its own rooms and no other', async () => {
    const rooms = names.flatMap((name) => (world.of[name] ? [[name, world.of[name].code] as const] : []))
    const wrong: string[] = []
    for (const name of names.filter((one) => one !== 'frozen')) {
      const socket = await world.people[name].socket()
      for (const [whom, code] of rooms) {
        const { ok } = (await socket.emitWithAck('join', code)) as { ok: boolean }
        if (ok !== isInRoom(name, whom)) wrong.push(`${name} → room of ${whom}: ${ok}`)
      }
      for (const whom of names)
        for (const code of [`user:${world.people[whom].id}`, `group:${world.people[whom].id}`, 'A'.repeat(22)])
          if (((await socket.emitWithAck('join', code)) as { ok: boolean }).ok) wrong.push(`${name} → ${code}`)
      socket.disconnect()
    }
    expect(wrong).toEqual([])
  })

  test('ended sessions open no socket', async () => {
    const { dead } = askers()
    expect(await Promise.all(dead.map(({ token }) => words(token)))).toEqual(dead.map(() => 'session.dead'))
  })
})

describe('[S1] what exports contain', () => {
  const dayAt = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)
  const day = { start_date: dayAt(-1), end_date: dayAt(1) }
  const range = { start_time: `${dayAt(-1)} 00:00:00`, end_time: `${dayAt(1)} 00:00:00` }
  const heads = names.filter((name) => isOperator(tree[name].role))
  const usernamesIn = (csv: string) => names.filter((name) => csv.includes(`"${world.people[name].username}"`))

  test.each([2, 3, 13] as const)('user/export of page %s: the accounts below, no others', async (menu_id) => {
    const role = { 2: 2, 3: 3, 13: 4 }[menu_id]
    for (const who of heads) {
      const { csv } = await world.people[who].call('user/export', { menu_id })
      const found = usernamesIn(csv)
      expect([who, found.filter((whom) => !sees(who, whom))]).toEqual([who, []])
      if (menu_id === 13)
        expect([who, found]).toEqual([who, names.filter((whom) => tree[whom].role === role && sees(who, whom))])
    }
  })

  test('transaction/export and report/sr02Export: only accounts below', async () => {
    for (const who of heads) {
      const person = world.people[who]
      const files = [await person.call('transaction/export', range), await person.call('report/sr02Export', day)]
      // The giver of an agent's own points, its upline, is named in the agent's transfers.
      const unseen = files.map(({ csv }) =>
        usernamesIn(csv).filter((whom) => !sees(who, whom) && !chainOf(who).includes(whom)),
      )
      expect([who, unseen]).toEqual([who, [[], []]])
    }
  })
})

describe('[S1] what is public', () => {
  const open = [
    '/.well-known/security.txt',
    '/config.json',
    '/health',
    '/healthz',
    '/livez',
    '/member-api/v1/openapi.json',
    '/member-api/v1/problems/transfer.frozen',
    '/readyz',
    '/security.txt',
    '/widget.js',
  ]

  test.each(open)('%s: the same for everyone, without personal data', async (path) => {
    const before = await hashOfAll(server)
    const { living, dead } = askers()
    const answers = await Promise.all([...living, ...dead].map(({ token }) => get(path, token)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    for (const name of names) expect(answers[0]?.body).not.toContain(world.people[name].username)
    expect(await hashOfAll(server)).toEqual(before)
  })

  test('[S3] a session does not work at the member API', async () => {
    for (const { token } of askers().living) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.address}/member-api/v1/balance/list`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      expect(answer.status).toBe(401)
    }
  })

  /** Every address that the server answers, with its methods, but those of calls (matrix.test.ts) and of the member API. */
  const otherRoutes = async () => {
    const { services } = server
    const app = await makeApp(services, makeSessions(services.db, services.settings), {
      webDir: '/none',
      isStopping: () => false,
      isOverLimit: () => false,
      serveMemberApi,
    })
    const parts: string[] = []
    const routes: string[] = []
    for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, lead = '', part = '', methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
      parts.splice(lead.length / 4, Infinity, part)
      if (methods) routes.push(`${methods} ${parts.join('')}`)
    }
    await app.close()
    const known = [
      ...callNames.map((name) => `POST /api/${name}`),
      ...Object.keys(memberApi).map((name) => `POST /member-api/v1/${name}`),
    ]
    expect(routes).toEqual(expect.arrayContaining(known))
    return routes.filter((route) => !known.includes(route)).sort()
  }

  test('every route has its rows', async () => {
    // A new route: add rows for it above, then its address here.
    expect(await otherRoutes()).toEqual([
      'GET, HEAD /.well-known/security.txt',
      'GET, HEAD /config.json',
      'GET, HEAD /health',
      'GET, HEAD /healthz',
      'GET, HEAD /livez',
      'GET, HEAD /media/:id',
      'GET, HEAD /media/person/:link', // an export, in the session that asked for it: calls/accounts/person.test.ts
      'GET, HEAD /member-api/v1/media/:id', // a sealed address, for five minutes: member-api/fulfil.test.ts
      'GET, HEAD /member-api/v1/openapi.json',
      'GET, HEAD /member-api/v1/problems/:name',
      'GET, HEAD /readyz',
      'GET, HEAD /security.txt',
      'GET, HEAD /widget.js',
      'POST *', // unknown calls: refused
      'POST /upload/:id',
    ])
  })
})
