import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { browserOf, signIn } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
const foreign = createServer((_, response) => response.end('reached'))
let [foreignPort, reached] = [0, 0]
test.beforeAll(async () => {
  foreign.on('upgrade', (_, socket) => {
    reached += 1
    socket.destroy()
  })
  foreign.on('request', () => {
    reached += 1
  })
  await new Promise<void>((resolve) => foreign.listen(0, resolve))
  foreignPort = (foreign.address() as AddressInfo).port
  server = await startJourneyServer()
})
test.afterAll(async () => {
  foreign.close()
  await server.remove()
})

/** What an injected script would try, and the browser’s result for each. */
const attack = (page: Page, port: number) =>
  page.evaluate(async (elsewhere) => {
    const tried = async (work: () => unknown) => {
      try {
        await work()
        return 'allowed'
      } catch (error) {
        return error instanceof Error ? error.name : String(error)
      }
    }
    /** Resolves when the browser reports that the policy refused this address. */
    const refusedBy = (directive: string, start: string, work: () => void) =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (effectiveDirective === directive && blockedURI.startsWith(start)) resolve('refused')
        })
        try {
          work()
        } catch {
          // The event says why.
        }
      })
    const add = (name: 'img' | 'iframe' | 'script', source: string) => {
      const made = document.createElement(name)
      made.src = source
      document.body.append(made)
    }
    const opened = (address: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address)
        socket.addEventListener('open', () => resolve('open'))
        socket.addEventListener('error', () => resolve('closed'))
      })
    return {
      markup: await tried(() =>
        document.createElement('div').insertAdjacentHTML('beforeend', '<img onerror=alert(1)>'),
      ),
      text: await tried(() => document.createElement('style').insertAdjacentHTML('beforeend', 'body { color: red }')),
      // In a timer: Playwright lets `eval` through inside of this function.
      // oxlint-disable-next-line no-eval -- whether the policy refuses it is the question
      code: await new Promise((resolve) => setTimeout(() => void tried(() => (0, eval)('1')).then(resolve))),
      worker: await tried(() => new Worker(`http://localhost:${elsewhere}/assets/x.js`)),
      sheet: await refusedBy('style-src-elem', 'inline', () => {
        const sheet = document.createElement('style')
        sheet.textContent = 'body { color: red }'
        document.head.append(sheet)
      }),
      styleAttribute: await refusedBy('style-src-attr', 'inline', () =>
        document.body.setAttribute('style', 'color: red'),
      ),
      image: await refusedBy('img-src', 'http:', () => add('img', `http://localhost:${elsewhere}/`)),
      frame: await refusedBy('frame-src', 'http:', () => add('iframe', `http://localhost:${elsewhere}/`)),
      fetch: await refusedBy(
        'connect-src',
        'http:',
        () => void fetch(`http://localhost:${elsewhere}/`).catch(() => undefined),
      ),
      socket: await refusedBy('connect-src', 'ws:', () => void new WebSocket(`ws://localhost:${elsewhere}/`)),
      own: await opened(`ws://${window.location.host}/socket/?EIO=4&transport=websocket`),
    }
  }, port)

test('[S17] an injected script reaches no other host and adds no markup, and our own socket opens', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  const expected = {
    markup: 'TypeError',
    text: 'TypeError',
    sheet: 'refused',
    styleAttribute: 'refused',
    code: 'EvalError',
    worker: 'TypeError',
    image: 'refused',
    frame: 'refused',
    fetch: 'refused',
    socket: 'refused',
    own: 'open',
  }
  for (const path of ['/login', '/m', '/Signup/none']) {
    await page.goto(path)
    // The sign-in page loads itself once more before it shows anything.
    await expect(page.getByRole('main')).not.toBeEmpty()
    expect([path, await attack(page, foreignPort)]).toEqual([path, expected])
  }
  await signIn(page, 'admin', server.password)
  expect(['office', await attack(page, foreignPort)]).toEqual(['office', expected])
  expect(reached).toBe(0)
})
