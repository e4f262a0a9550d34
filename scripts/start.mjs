import { main, root } from './shell.mjs'
import { install } from './install.mjs'

const wants = (flag) => process.argv.includes(flag)

await main(async () => {
  install()
  if (wants('--demo')) process.env.DEMO = '1'
  process.chdir(root)
  if (wants('--dev')) return (await import('./dev/dev.mjs')).dev()
  const { build } = await import('./build.mjs')
  await build()
  process.env.NODE_ENV ??= 'production'
  process.setSourceMapsEnabled(true)
  // In this process instead of a child: signals, the terminal and the exit code are the server's own, and killing this
  // process kills the server.
  await import('../server/dist/main.js')
})
