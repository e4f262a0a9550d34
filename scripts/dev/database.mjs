import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root, Stop } from '../shell.mjs'

/**
 * Our own PostgreSQL in a process of its own (server/src/cli/dev-database.ts), or the one at DATABASE_URL. `settings` are
 * what the server needs to find it.
 */
export const startDatabase = async () => {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE)
    return { settings: {}, lost: new Promise(() => undefined), stop: async () => undefined }
  const child = spawn(process.execPath, ['--enable-source-maps', 'server/dist/dev-database.js'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited])
  // The process has printed the reason.
  if (typeof line !== 'string') throw new Stop('The database did not start.')
  return {
    settings: JSON.parse(line),
    lost: exited,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}
