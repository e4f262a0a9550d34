import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'

const PORTS = { mon: 23_300, s3: 23_380 }
const BUCKET = 'tallyroom-proof'
const KEYS = { accessKeyId: 'proof-access', secretAccessKey: 'proof/secret+key' }

/** One of each daemon on loopback, objects in memory, and nobody signs in inside of the cluster. */
const configOf = (directory: string, fsid: string) => `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${PORTS.mon}
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
osd crush chooseleaf type = 0
run dir = ${directory}
log file = ${directory}/$name.log
admin socket = ${directory}/$name.asok
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
mon data = ${directory}/mon
mgr data = ${directory}/mgr
osd data = ${directory}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.rgw]
rgw data = ${directory}/rgw
rgw frontends = beast endpoint=127.0.0.1:${PORTS.s3}
ms mon client mode = crc
`

/** A Ceph cluster with its S3 server (radosgw), of Debian's packages. */
export const startCeph = async (directory: string) => {
  for (const name of ['mon', 'mgr', 'osd', 'rgw']) mkdirSync(join(directory, name), { recursive: true })
  const config = join(directory, 'ceph.conf')
  const fsid = randomUUID()
  writeFileSync(config, configOf(directory, fsid))
  const env = { ...process.env, CEPH_CONF: config }
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env, encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const daemons: ChildProcess[] = []
  const daemon = (program: string, ...args: string[]) => {
    const log = openSync(join(directory, `${program}.out`), 'a')
    const child = spawn(program, ['-f', ...args], { env, stdio: ['ignore', log, log] })
    closeSync(log)
    daemons.push(child)
    return child
  }
  process.once('exit', () => daemons.forEach((child) => child.kill('SIGKILL')))

  const map = join(directory, 'monmap')
  run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${PORTS.mon}]`, '--fsid', fsid, '--clobber', map)
  run('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map)
  daemon('ceph-mon', '-i', 'a')
  daemon('ceph-mgr', '-i', 'x')
  const osd = run('ceph', 'osd', 'create')
  run('ceph-osd', '-i', osd, '--mkfs', '--osd-uuid', randomUUID())
  daemon('ceph-osd', '-i', osd)
  run('ceph', 'osd', 'crush', 'add', `osd.${osd}`, '1', 'host=h', 'root=default')
  const user = ['user', 'create', '--uid=tallyroom', '--display-name=Tallyroom']
  const keys = [`--access-key=${KEYS.accessKeyId}`, `--secret-key=${KEYS.secretAccessKey}`]
  run('radosgw-admin', ...user, ...keys, '-n', 'client.rgw')

  const url = `http://127.0.0.1:${PORTS.s3}`
  const client = new AwsClient({ ...KEYS, service: 's3', region: 'us-east-1', retries: 0 })
  let server: ChildProcess | undefined
  const start = async () => {
    server = daemon('radosgw', '-n', 'client.rgw')
    for (let tries = 0; tries < 200; tries++) {
      const answer = await fetch(url).catch(() => undefined)
      if (answer?.ok) return
      await pause(100)
    }
    throw new Error(`radosgw does not answer: see ${directory}`)
  }
  await start()
  const made = await client.fetch(`${url}/${BUCKET}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`the bucket was refused: ${await made.text()}`)

  return {
    env: {
      S3_URL: url,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY: KEYS.accessKeyId,
      S3_SECRET_KEY: KEYS.secretAccessKey,
    },
    start,
    kill: async () => {
      const ended = new Promise((resolve) => server?.once('exit', resolve))
      server?.kill('SIGKILL')
      await ended
    },
    stop: () => daemons.forEach((child) => child.kill('SIGKILL')),
  }
}
