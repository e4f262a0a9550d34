import { install } from './install.mjs'
import { main, node, programOf, Stop } from './shell.mjs'

// `npm run test:one -- FILE…`: runs tests from the source. Those of e2e/ need a build; a failed journey keeps a trace.
const args = process.argv.slice(2)
const isJourney = args.some((arg) => arg.includes('.journey'))

await main(async () => {
  if (args.length === 0) throw new Stop('Say which: npm run test:one -- server/src/calls/conversation/room.test.ts')
  install()
  if (args.some((arg) => /(^|\/)e2e\//.test(arg) || arg.includes('.journey'))) {
    const { build } = await import('./build.mjs')
    await build()
  }
  if (!isJourney) {
    process.exitCode = (await node([programOf('vitest'), 'run', ...args], { loud: true })).code
    return
  }
  const playwright = [programOf('@playwright/test', 'playwright'), 'test', '--config', 'e2e/playwright.config.ts']
  const { code } = await node([...playwright, '--trace=retain-on-failure', ...args], { loud: true })
  process.exitCode = code
  // Playwright names the command without the port, which looks for a browser of its own.
  if (code !== 0) console.log('To read a trace in any browser: npx playwright show-trace --port 0 FILE')
})
