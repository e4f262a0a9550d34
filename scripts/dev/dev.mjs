import { createServer as createPort } from 'node:net'
import { join, relative } from 'node:path'
import { buildGuides, buildServer } from '../build.mjs'
import { root } from '../shell.mjs'
import { startDatabase } from './database.mjs'
import { devPages } from './pages.mjs'
import { makeServer } from './server.mjs'

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createPort()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** Below the ports of outgoing connections, which could otherwise take it while the server restarts. */
const freePort = async () => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await isFree(port)) return port
  }
}

/** A socket that was open during a restart is no error: its page reconnects. */
const quieter = (logger) => {
  const { error } = logger
  return Object.assign(logger, {
    error: (text, options) => (text.includes('ws proxy') ? undefined : error(text, options)),
  })
}

/**
 * One address for everything: Vite serves the pages with hot replacement and forwards calls, images and the socket to the
 * server, which is rebuilt and restarted when one of its sources changes. The database keeps running.
 */
export const dev = async () => {
  process.env.NODE_ENV = 'development'
  const { createLogger, createServer } = await import('vite')
  await Promise.all([buildServer(), buildGuides()])
  const port = Number(process.env.PORT || 3000)
  const host = process.env.HOST || 'localhost'
  const address = `http://localhost:${port}`
  const database = await startDatabase()
  const server = makeServer({ port: await freePort(), settings: database.settings })
  const vite = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    plugins: [devPages(server)],
    server: { port, host, strictPort: true },
    clearScreen: false,
    customLogger: quieter(createLogger('warn', { allowClearScreen: false })),
  })

  let stopping = false
  const stop = async (code = 0) => {
    if (stopping) return
    stopping = true
    await Promise.all([vite.close(), server.stop()])
    await database.stop()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  void database.lost.then(() => stop(1))

  vite.watcher.add(['contract', 'locales', 'postgres', 'server'].map((folder) => join(root, folder)))
  vite.watcher.on('all', (_, path) => void server.onFileChanged(relative(root, path)))
  try {
    await vite.listen()
  } catch (error) {
    console.error(error.message)
    return stop(1)
  }
  await server.start()
  console.log(`Tallyroom is ready at ${address}. The server's debugger is at ${server.inspector}.`)
}
