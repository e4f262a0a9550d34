import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { install } from './install.mjs'
import { main, root, Stop } from './shell.mjs'

// `npm run account -- add agent NAME` and other commands in server/src/cli, built when they have changed.
const [name = '', ...args] = process.argv.slice(2)

await main(async () => {
  install()
  const { buildServer } = await import('./build.mjs')
  await buildServer()
  const program = join(root, 'server/dist', `${name}.js`)
  if (!/^[a-z-]+$/.test(name) || !existsSync(program))
    throw new Stop(`There is no command "${name}": they are the files in server/src/cli.`)
  process.setSourceMapsEnabled(true)
  process.argv.splice(1, Infinity, program, ...args)
  await import(pathToFileURL(program).href)
})
