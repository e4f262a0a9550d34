import { mkdirSync, writeFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { dirname } from 'node:path'

// Loaded into the server by `--profile`: records its processor use for Chromium's developer tools.
// (NODE_OPTIONS does not accept node's own --cpu-prof.)
const session = new inspector.Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.start')
process.once('exit', () =>
  session.post('Profiler.stop', (_, { profile }) => {
    mkdirSync(dirname(process.env.PROFILE_TO), { recursive: true })
    writeFileSync(process.env.PROFILE_TO, JSON.stringify(profile))
  }),
)
