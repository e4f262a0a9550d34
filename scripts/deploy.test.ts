import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const settingsOf = (unit: string) =>
  Object.fromEntries(
    readFileSync(new URL(`../deploy/systemd/${unit}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('[RUN-11] systemd signals the server alone, because its database must stop after it', () => {
  const unit = settingsOf('tallyroom.service')
  expect(unit.KillMode).toBe('mixed')
  // A stop takes up to 10 s after DRAIN_SECONDS (main.ts).
  expect(Number(unit.TimeoutStopSec)).toBeGreaterThanOrEqual(20)
})

test('[RUN-11] a unit is started when calls are answered, and each has the rights of a program that only serves', () => {
  expect(settingsOf('tallyroom.service')).toMatchObject({ Type: 'notify', NotifyAccess: 'all' })
  for (const name of ['tallyroom', 'tallyroom-backup', 'tallyroom-drill'])
    expect(settingsOf(`${name}.service`)).toMatchObject({
      UMask: '0077',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
    })
})

test('[RUN-11] tallyroom-do runs commands as the unit serves, and messages name it', () => {
  const helper = readFileSync(new URL('../deploy/tallyroom-do', import.meta.url), 'utf8')
  const { Environment = '', EnvironmentFile, ExecStart, User } = settingsOf('tallyroom.service')
  const [dataDir] = Environment.split(' ')
  for (const part of [`=${dataDir} `, `=EnvironmentFile=${EnvironmentFile} `, `=${User} `, ` ${ExecStart} "$@"`])
    expect(helper).toContain(part)
  for (const name of ['tallyroom', 'tallyroom-backup', 'tallyroom-drill'])
    expect(settingsOf(`${name}.service`).Environment).toContain('TALLYROOM_PROGRAM=tallyroom-do')
  expect(helper).toContain('TALLYROOM_PROGRAM=tallyroom-do ')
})

test('[RUN-11] each proxy sets the id of a call, which the server takes from it, and removes the trace of a browser', () => {
  for (const [path, setsId, dropsTrace] of [
    ['caddy/Caddyfile', /header_up X-Request-Id \{http\.request\.uuid\}/, /header_up -Traceparent/],
    ['nginx/tallyroom.conf', /proxy_set_header X-Request-Id \$request_id;/, /proxy_set_header traceparent "";/],
    ['haproxy/haproxy.cfg', /unique-id-header X-Request-Id/, /del-header Traceparent/i],
  ] as const) {
    const sample = readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8')
    expect(sample).toMatch(setsId)
    expect(sample).toMatch(dropsTrace)
  }
})

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[RUN-05] the backup unit deletes the archive of the log from before the oldest backup, and nothing else', () => {
  const [backups, archive] = [join(folder, 'backups'), join(folder, 'wal')]
  const { ExecStartPost = '' } = settingsOf('tallyroom-backup.service')
  const script = /^-\/bin\/sh -c '(.*)'$/
    .exec(ExecStartPost)?.[1]
    ?.replaceAll('\\\\', '\\')
    .replaceAll('/var/backups/tallyroom', backups)
  const run = (WAL_ARCHIVE: string) =>
    execFileSync('sh', ['-c', `${script}; true`], { env: { PATH: process.env.PATH, WAL_ARCHIVE, TZ: 'UTC' } })
  for (const directory of [backups, archive]) mkdirSync(directory)
  const segment = (n: number) => `00000001000000000000000${n}.gz`
  const files = {
    [segment(1)]: '2026-11-10T03:00:00Z',
    [segment(2)]: '2026-11-14T23:59:00Z',
    // Within three hours, and during the backup.
    [segment(3)]: '2026-11-15T00:01:00Z',
    [segment(4)]: '2026-11-15T03:00:30Z',
    '00000002.history.gz': '2026-11-01T03:00:00Z',
    'notes.txt': '2026-11-01T03:00:00Z',
  }
  for (const [name, time] of Object.entries(files)) {
    writeFileSync(join(archive, name), '')
    utimesSync(join(archive, name), new Date(time), new Date(time))
  }
  const all = Object.keys(files).sort()
  const left = () => readdirSync(archive).sort()
  // Without a backup everything may be needed; without an archive nothing is looked for.
  run(archive)
  mkdirSync(join(backups, '2026-11-15-030000.part'))
  run(archive)
  for (const name of ['2026-11-15-030000', '2026-11-28-030000']) mkdirSync(join(backups, name))
  run('')
  expect(left()).toEqual(all)
  run(archive)
  expect(left()).toEqual(all.filter((name) => ![segment(1), segment(2)].includes(name)))
})
