import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Server } from './server.ts'

/** Runs `npm run NAME -- words` beside a running server. */
export const consoleOf = (server: Server, name: 'account' | 'api-key', words: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const program = fileURLToPath(new URL(`../../server/dist/${name}.js`, import.meta.url))
    const env = { ...process.env, ...server.env }
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: (stdout + stderr).trim() })
    })
  })
