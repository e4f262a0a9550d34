import { Webhook } from 'standardwebhooks'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'
import { type CodeSample, ORIGIN } from './samples.ts'

type Content = { content: Record<string, { example: unknown }> }
type Document = {
  paths: Record<
    string,
    {
      post: {
        requestBody: Content
        responses: Record<string, Content>
        'x-codeSamples': CodeSample[]
        'x-refusals': { name: string }[]
      }
    }
  >
  'x-guides': { id: string; samples: CodeSample[] }[]
}

let server: TestServer
let document: Document
const dir = mkdtempSync(join(tmpdir(), 'samples-'))
afterAll(() => rmSync(dir, { recursive: true }))
beforeAll(async () => {
  server = await startTestServer()
  document = (await (await fetch(`${server.address}/member-api/v1/openapi.json`)).json()) as Document
})
const names = Object.keys(memberApi) as ApiName[]
const postOf = (name: ApiName) => {
  const found = document.paths[`/${name}`]?.post
  if (!found) throw new Error(`the document has no ${name}`)
  return found
}

/** The output of a program that must end well. */
const outputOf = (command: string, args: string[], env: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env } })
    let [text, error] = ['', '']
    child.stdout.on('data', (part) => (text += String(part)))
    child.stderr.on('data', (part) => (error += String(part)))
    child.on('close', () => resolve(`${text}${error}`)).on('error', reject)
  })
const MARK = '--- the output of '
/** Runs each module after the others: a process of its own for each would take a quarter of a second of a processor. */
const RUNNER = `process.stderr.write = process.stdout.write.bind(process.stdout)
for (const path of process.argv.slice(2)) {
  console.log('${MARK}' + path)
  await import(path).catch(console.error)
}`
/** The output of each module, by its path. */
const outputsOf = async (paths: string[], env: Record<string, string>) => {
  const runner = join(dir, 'runner.mjs')
  writeFileSync(runner, RUNNER)
  const parts = (await outputOf(process.execPath, [runner, ...paths], env)).split(MARK).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]))
}
/** Writes a TypeScript example as a module that this Node runs. */
const written = (file: string, source: string) => {
  const path = join(dir, `${file}.mjs`)
  writeFileSync(path, transformSync(source.replaceAll('.ts', '.mjs'), { loader: 'ts', format: 'esm' }).code)
  return path
}
const guideSample = (id: string) => document['x-guides'].find((guide) => guide.id === id)?.samples[0]?.source ?? ''

test('[SET-06] the examples of the document are valid requests and answers of the contract', () => {
  for (const name of names) {
    const { requestBody, responses } = postOf(name)
    const { request, response } = memberApi[name]
    const body = requestBody.content['application/json']?.example as object
    const answer = responses[200]?.content['application/json']?.example as { data: object }
    expect([name, request.strict().safeParse(body).error]).toEqual([name, undefined])
    expect([name, response.safeParse(answer.data).error]).toEqual([name, undefined])
    expect([name, Object.keys(answer.data)]).toEqual([name, Object.keys(response.shape)])
  }
})

test('[SET-06] the examples in curl and TypeScript run as they are', async () => {
  const { top, agent, member } = await server.family()
  const { id, secret } = await platform(server, top)
  const env = { TALLYROOM_KEY: id, TALLYROOM_SECRET: secret }
  written('call', guideSample('signing').replaceAll(ORIGIN, server.address))
  const { id: tks, secret: ofSandbox } = await platform(server, top, undefined, { ofSandbox: true })
  const sandbox = { TALLYROOM_KEY: tks, TALLYROOM_SECRET: ofSandbox }
  expect(await outputOf(process.execPath, [written('sandbox', guideSample('sandbox'))], sandbox)).toBe('1 5.0000\n')
  const expectRight = (name: ApiName, lang: CodeSample['lang'], output: string) => {
    const own = postOf(name)['x-refusals'].map((refusal) => refusal.name)
    const expected = [lang === 'cURL' ? '"code":1000' : '{', ...own]
    expect([name, lang, output, expected.some((one) => output.includes(one))]).toEqual([name, lang, output, true])
    // A wrong signature, body or field would be a refusal of every call.
    expect([name, lang, output.match(/api\.(?!only_in_sandbox)\w+|request\.\w+|Error: undefined/)]).toEqual([
      name,
      lang,
      null,
    ])
  }
  const modules = new Map<ApiName, string>()
  for (const name of names)
    for (const { lang, source } of postOf(name)['x-codeSamples']) {
      const adds = name.endsWith('/add')
      const text = source
        .replaceAll(ORIGIN, server.address)
        .replaceAll('ann88', adds ? `s${randomBytes(4).toString('hex')}` : member.username)
        .replaceAll('player-8812', randomUUID())
        .replaceAll('dana', agent.username)
      if (lang === 'cURL') expectRight(name, lang, await outputOf('bash', ['-c', text], env))
      else modules.set(name, written(`sample-${names.indexOf(name)}`, text))
    }
  const outputs = await outputsOf([...modules.values()], env)
  for (const [name, path] of modules) expectRight(name, 'TypeScript', outputs.get(path) ?? '')
}, 120_000)

test('[SET-06] the example of a receiver accepts our webhooks and nothing else', async () => {
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number }
      probe.close(() => resolve(free))
    })
  })
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const env = { ...process.env, TALLYROOM_WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(process.execPath, [written('receiver', guideSample('webhooks'))], { env })
  try {
    const id = randomUUID()
    const body = JSON.stringify({ type: 'member.added', timestamp: '2026-11-22T14:03:21.000Z', data: { id: 1 }, id })
    const send = async (given: { timestamp?: string; sent?: string; by?: string }) => {
      const timestamp = given.timestamp ?? String(Math.floor(Date.now() / 1000))
      const signature = new Webhook(given.by ?? secret).sign(id, new Date(Number(timestamp) * 1000), body)
      const headers = {
        'webhook-timestamp': timestamp,
        'webhook-id': id,
        'webhook-signature': `v1,${randomBytes(32).toString('base64')} ${signature}`,
      }
      const url = `http://127.0.0.1:${port}/hook?a=1`
      return (await fetch(url, { method: 'POST', headers, body: given.sent ?? body })).status
    }
    await expect.poll(() => send({}).catch(() => 0)).toBe(204)
    expect(await send({ sent: body.replace('1}', '2}') })).toBe(401)
    expect(await send({ by: `whsec_${randomBytes(32).toString('base64')}` })).toBe(401)
    expect(await send({ timestamp: String(Math.floor(Date.now() / 1000) - 400) })).toBe(401)
  } finally {
    child.kill()
  }
})
