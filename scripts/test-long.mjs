import { build } from './build.mjs'
import { install } from './install.mjs'
import { main, node, programOf } from './shell.mjs'

// `npm run test:long`: what takes too long for every change. Weights, contrast and overflow in all languages.
const parts = [
  {
    name: 'weights',
    args: [programOf('vitest'), 'run', '--project=node', 'e2e/process/budget.test.ts'],
  },
  {
    name: 'journeys',
    args: [programOf('@playwright/test', 'playwright'), 'test', '--config', 'e2e/playwright.config.ts'],
  },
  { name: 'overflow', args: [programOf('tsx'), 'proofs/overflow.ts'] },
]

await main(async () => {
  install()
  await build()
  const failed = []
  for (const { name, args } of parts) {
    const { code } = await node(args, { loud: true, env: { LONG: '1' } })
    if (code !== 0) failed.push(name)
  }
  console.log(failed.length ? `✗ ${failed.join(', ')}` : `✓ ${parts.map(({ name }) => name).join(', ')}`)
  process.exitCode = failed.length ? 1 : 0
})
