import { argumentsOf } from '../../server/src/cli/arguments.mjs'
import { install } from '../install.mjs'
import { main, root } from '../shell.mjs'

await main(async () => {
  if (argumentsOf('dev').flags.demo) process.env.DEMO = '1'
  install()
  process.chdir(root)
  const { dev } = await import('./dev.mjs')
  await dev()
})
