import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, root } from './shell.mjs'
import { install } from './install.mjs'

await main(async () => {
  install()
  process.chdir(root)
  const { build } = await import('./build.mjs')
  await build()
  process.env.NODE_ENV ??= 'production'
  process.setSourceMapsEnabled(true)
  // In this process instead of a child: signals, the terminal and the exit code are the server's own, and killing this
  // process kills the server. Not by a name that the type checker follows: it may read half of a file that is written.
  await import(pathToFileURL(join(root, 'server/dist/main.js')).href)
})
