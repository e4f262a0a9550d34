import cluster from 'node:cluster'
import { mkdirSync, writeFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { dirname } from 'node:path'

// Loaded into the server by `--profile`: records its processor use for Chromium's developer tools.
// (NODE_OPTIONS does not accept node's own --cpu-prof.)
const session = new inspector.Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.start')
const { PROFILE_TO } = process.env
/** Each worker has a file of its own. */
const file = cluster.worker ? PROFILE_TO.replace('.cpuprofile', `-${cluster.worker.id}.cpuprofile`) : PROFILE_TO
process.once('exit', () =>
  session.post('Profiler.stop', (_, { profile }) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(profile))
  }),
)
