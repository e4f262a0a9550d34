import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { context, formatMessages } from 'esbuild'
import { serverBuild } from '../build.mjs'
import { root } from '../shell.mjs'

const WARM = fileURLToPath(new URL('warm.mjs', import.meta.url))
const SAVING_MS = 30
/** A call that hangs must not delay the next version of the server. */
const PATIENCE_MS = 300
/** Read by the server when it starts, without being part of the program. */
const READ_AT_START = /^server\/(migrations|prompts|widget)\//

/** The server behind the pages: built with esbuild, restarted when one of its sources has changed. */
export const makeServer = ({ port, settings }) => {
  const inspectPort = Number(process.env.INSPECT_PORT || 9229)
  const env = {
    ...process.env,
    ...settings,
    PORT: String(port),
    HOST: '127.0.0.1',
    // The line that it is ready is read here.
    LOG_FORMAT: 'text',
    // Vite is the proxy in front, and forwards the caller's address.
    TRUSTED_PROXIES: String(Number(process.env.TRUSTED_PROXIES || 0) + 1),
  }
  const program = makeProgram()
  let child
  let spare
  let ready = withResolvers()
  let isUp = false
  let stopping = false

  /** Calls wait for the next server, also when the one they wait for did not start. */
  const pauseCalls = () => {
    if (isUp) ready = withResolvers()
    isUp = false
  }

  /** A process that has loaded the packages and waits. */
  const warm = () => {
    const args = [pathToFileURL(join(root, 'server/dist/main.js')).href, inspectPort, ...program.packages()].map(String)
    const made = spawn(process.execPath, ['--enable-source-maps', WARM, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    made.once('exit', () => {
      if (spare === made) spare = undefined
    })
    return made
  }

  const launch = async () => {
    const started = spare ?? warm()
    spare = undefined
    child = started
    started.send('start')
    createInterface(started.stderr).on('line', printError)
    createInterface(started.stdout).on('line', (line) => {
      if (/^Tallyroom \S+ is ready/.test(line)) {
        isUp = true
        ready.resolve()
      } else if (line !== 'Stopping…') console.log(line)
    })
    started.once('exit', (code) => {
      if (child !== started) return
      child = undefined
      pauseCalls()
      if (!stopping && code !== 0)
        console.error('The server has stopped, and calls and pages wait. It starts again when you save a change.')
    })
    await Promise.race([ready.promise, once(started, 'exit')])
  }

  const end = async () => {
    const old = child
    if (!old) return
    child = undefined
    const exited = once(old, 'exit')
    old.kill('SIGTERM')
    const timer = setTimeout(() => old.kill('SIGKILL'), PATIENCE_MS)
    await exited
    clearTimeout(timer)
  }

  let restarting = Promise.resolve()
  let waiting = false
  let first = true
  const restart = () => {
    if (waiting) return restarting
    waiting = true
    restarting = restarting.then(async () => {
      // Several files are often saved at once, and each is empty for a moment while it is written.
      await pause(SAVING_MS)
      waiting = false
      const began = Date.now()
      if (stopping || !(await program.build(() => stopping))) return
      const built = Date.now()
      pauseCalls()
      await end()
      const ended = Date.now()
      if (stopping) return
      await launch()
      const parts = `build ${built - began}, stop ${ended - built}, start ${Date.now() - ended} ms`
      // Else it has printed why it stopped.
      if (!first && isUp) console.log(`The server was built and started again: ${parts}.`)
      first = false
      if (!stopping) spare = warm()
    })
    return restarting
  }

  return {
    url: `http://127.0.0.1:${port}`,
    inspector: `127.0.0.1:${inspectPort}`,
    /** Resolves when the server answers. */
    isReady: () => ready.promise,
    start: restart,
    /** A file below the root has changed: @param path with / on every system */
    onFileChanged: (path) => {
      const name = path.replaceAll('\\', '/')
      return program.hasSource(name) || READ_AT_START.test(name) ? restart() : undefined
    },
    async stop() {
      stopping = true
      spare?.kill()
      await restarting
      await end()
      await program.dispose()
    },
  }
}

/** The bundle of the server. */
const makeProgram = () => {
  // Without the commands: `npm run account` and others build themselves.
  const building = context({ ...serverBuild(), entryPoints: ['server/src/main.ts'], metafile: true })
  let sources = new Set()
  let packages = []
  return {
    packages: () => packages,
    /** Until a build succeeds any source may be what the next one needs. */
    hasSource: (name) => (sources.size === 0 ? name.endsWith('.ts') && !name.endsWith('.test.ts') : sources.has(name)),
    /** @returns whether there is a program to start */
    async build(isStopping) {
      try {
        const { metafile } = await (await building).rebuild()
        const { inputs, imports } = metafile.outputs['server/dist/main.js']
        sources = new Set(Object.keys(inputs))
        packages = [...new Set(imports.flatMap(({ path, external }) => (external ? [path] : [])))]
        return true
      } catch (error) {
        // Ctrl-C also ends esbuild's own process.
        if (isStopping()) return false
        const found = error.errors
          ? await formatMessages(error.errors, { kind: 'error', color: true })
          : [String(error)]
        console.error(found.join('\n'))
        // The next saved file may fix it.
        sources = new Set()
        return false
      }
    },
    dispose: async () => (await building).dispose(),
  }
}

const printError = (line) => {
  // Node prints this at every start.
  if (!/^(Debugger (listening|attached|ending)|For help, see: https:\/\/nodejs|Waiting for the debugger)/.test(line))
    console.error(line)
  if (/^(Migration .* was changed|The database has seen migration )/.test(line))
    console.error(
      'Has it not landed yet? Then stop this, remove the data directory (DATA_DIR, or data/) and start again.',
    )
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Promise.withResolvers, which Node 20 does not have. */
const withResolvers = () => {
  let resolve
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}
