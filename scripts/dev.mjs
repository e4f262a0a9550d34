import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { context } from 'esbuild'
import { build, serverBuild } from './build.mjs'
import { programOf, root } from './shell.mjs'

/** Rebuilds on every change of a source: the pages for the next reload, the server with a restart. */
export const dev = async () => {
  await build()
  const watcher = await context(serverBuild())
  await watcher.watch()
  const vite = spawn(process.execPath, [programOf('vite'), 'build', '--watch', '--logLevel=warn'], {
    cwd: join(root, 'web'),
    stdio: 'inherit',
  })
  const server = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', '--enable-source-maps', 'server/dist/main.js'],
    {
      stdio: 'inherit',
    },
  )
  const stop = () => {
    vite.kill()
    server.kill('SIGTERM')
  }
  process.on('SIGINT', () => undefined)
  process.once('SIGTERM', stop)
  server.once('exit', () => {
    vite.kill()
    void watcher.dispose()
  })
}
