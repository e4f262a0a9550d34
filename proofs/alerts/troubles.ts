import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect as open, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { again } from '../../e2e/support/again.ts'
import { makeClient } from '../../e2e/support/client.ts'
import { lockTable, planted } from '../plant.ts'
import { databaseTroubles } from './database.ts'
import { ports, type World } from './world.ts'

/** The alert that it must raise, what it is, and what plants it; the result of that ends it. */
export type Trouble = [alert: string, what: string, plant: () => Promise<() => unknown>]

/** Everything that must raise an alert. Some alerts have several causes. */
export const troublesOf = (world: World): Trouble[] => {
  const { copies, dataDir, redis, platform, archived, agent, member, note, pay, view, write, listNotes, set } = world
  const { restart, startSecond } = world
  const setting = (change: string, back: string) =>
    planted(
      () => set(change),
      () => set(back),
    )
  const signalSecond = (signal: NodeJS.Signals) => {
    const { pid } = copies[1].child
    if (pid) process.kill(pid, signal)
  }
  /** Redis is away while messages are written, and empty when it is back. */
  const missEvents = async () => {
    await redis.kill()
    for (let message = 0; message < 5; message++) await write(message % 2 ? 1 : 0)
    await redis.start()
    return again(async () => {
      await write(0)
      await write(1)
      await pause(500)
    })
  }
  const agentOfSockets = new Agent({ keepAlive: true, maxSockets: 30 })
  const fetchPage = () =>
    new Promise<void>((resolve, reject) => {
      get(`${copies[1].url}/config.json`, { agent: agentOfSockets }, (answer) =>
        answer.resume().once('end', resolve),
      ).once('error', reject)
    })
  return [
    [
      'TallyroomFlood',
      'one program fetches as fast as it can',
      async () => {
        const stops = Array.from({ length: 30 }, () => again(fetchPage))
        return () => Promise.all(stops.map((stop) => stop()))
      },
    ],
    [
      'TallyroomDown',
      'a copy is killed',
      async () => {
        await copies[1].kill()
        return startSecond
      },
    ],
    [
      'TallyroomDown',
      'a copy hangs without end',
      async () => {
        signalSecond('SIGSTOP')
        return () => signalSecond('SIGCONT')
      },
    ],
    [
      'TallyroomCopyLost',
      'a copy is killed and is back at once',
      async () => {
        await copies[1].kill()
        await startSecond()
        return () => undefined
      },
    ],
    [
      'TallyroomWorkerLost',
      'a worker is killed',
      async () => {
        await restart({ env: { WORKERS: '2' } })
        // Until it is read the first time, a count that begins is not seen to grow.
        await pause(11_000)
        const children = execFileSync('pgrep', ['-P', String(copies[1].child.pid)], { encoding: 'utf8' })
        process.kill(Number(children.trim().split('\n')[0]), 'SIGKILL')
        return restart
      },
    ],
    [
      'TallyroomRestarts',
      'a copy starts three times',
      async () => {
        for (let time = 0; time < 3; time++) {
          // Long enough to be read in between.
          await pause(11_000)
          await restart()
        }
        return () => undefined
      },
    ],
    [
      'TallyroomEventLoopBlocked',
      'a copy computes for 4 s, once',
      async () => {
        signalSecond('SIGUSR2')
        return () => undefined
      },
    ],
    [
      'TallyroomEventLoopBlocked',
      'a copy stands still for most of the time',
      async () =>
        again(async () => {
          signalSecond('SIGSTOP')
          await pause(1200)
          signalSecond('SIGCONT')
          await pause(300)
        }),
    ],
    [
      'TallyroomClockWrong',
      'the clock of a copy is an hour ahead',
      async () => {
        await restart({ env: { FAULT_CLOCK_MS: '3600000' } })
        return restart
      },
    ],
    [
      'TallyroomOpenFiles',
      'most file handles are used',
      async () => {
        await restart({
          handles: 400,
          env: { CONNECTIONS: '390', CONNECTIONS_OF_ADDRESS: '0', HEADERS_SECONDS: '90' },
        })
        const sockets: Socket[] = Array.from({ length: 330 }, () =>
          open(ports.web[1], '127.0.0.1').on('error', () => undefined),
        )
        return async () => {
          for (const socket of sockets) socket.destroy()
          await restart()
        }
      },
    ],
    [
      'TallyroomFaults',
      'a table is missing',
      async () => {
        await set('alter table notes rename to notes_away')
        const stop = again(async () => {
          await listNotes()
          await pause(500)
        })
        return async () => {
          await stop()
          await set('alter table notes_away rename to notes')
        }
      },
    ],
    [
      'TallyroomConnectionsUsedUp',
      'calls take all connections of a copy',
      async () => {
        const release = await lockTable(world.database, 'notes')
        const stops = Array.from({ length: 40 }, () => again(listNotes))
        return async () => {
          await release()
          await Promise.all(stops.map((stop) => stop()))
        }
      },
    ],
    [
      'TallyroomRelayDown',
      'Redis is killed',
      async () => {
        await redis.kill()
        return () => redis.start()
      },
    ],
    ['TallyroomEventsMissed', 'Redis is away for a moment', missEvents],
    ['TallyroomResyncs', 'Redis is away for a moment', missEvents],
    [
      'TallyroomMemberWaits',
      'nobody answers for 20 minutes',
      async () => {
        await write(0)
        await set(`update rooms set waiting_since = now() - interval '20 minutes' where partner_id = ${member.id}`)
        return () => set(`update rooms set waiting_since = null, unanswered = 0 where partner_id = ${member.id}`)
      },
    ],
    [
      'TallyroomWebhooksRefused',
      'the platform answers 503',
      async () => {
        platform.refuses = true
        await pay()
        return async () => {
          platform.refuses = false
          await set('update webhook_deliveries set due_at = now() where due_at is not null')
        }
      },
    ],
    [
      'TallyroomWebhooksStuck',
      'a webhook is 20 minutes old',
      setting(
        `with w as (insert into webhooks (top_id, kind, payload, seq) values (${agent.topId}, 'member.added', '{}', 1000000) returning id)
          insert into webhook_deliveries (event_id, endpoint_id, top_id, seq, due_at, waits_since)
          select w.id, e.id, e.top_id, 1000000, now() + interval '1 hour', now() - interval '20 minutes' from w, webhook_endpoints e`,
        'delete from webhooks',
      ),
    ],
    [
      'TallyroomBackupOld',
      'the last backup is 30 hours old',
      planted(
        () => note('last-backup', 30),
        () => note('last-backup', 1),
      ),
    ],
    [
      'TallyroomNoBackup',
      'there is no backup',
      planted(
        () => rmSync(join(dataDir, 'last-backup')),
        () => note('last-backup', 1),
      ),
    ],
    [
      'TallyroomDrillOld',
      'the last drill is nine days old',
      planted(
        () => note('last-drill', 9 * 24),
        () => note('last-drill', 1),
      ),
    ],
    [
      'TallyroomArchiveStopped',
      'the archive gets nothing',
      planted(
        () => (archived.secondsAgo = 600),
        () => (archived.secondsAgo = 0),
      ),
    ],
    [
      'TallyroomDiskLow',
      'the disk of DATA_DIR is nearly full',
      async () => {
        // A copy whose DATA_DIR is a small disk in memory.
        const small = join(dataDir, 'small')
        mkdirSync(small, { recursive: true })
        await once(spawn('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small]), 'exit')
        await restart({ dataDir: small })
        writeFileSync(join(small, 'last-backup'), `${new Date().toISOString()}\n`)
        writeFileSync(join(small, 'filler'), Buffer.alloc(19_000_000))
        return async () => {
          await restart()
          await once(spawn('umount', [small]), 'exit')
        }
      },
    ],
    ['TallyroomImagesAway', 'S3 is away', async () => world.s3.goAway(copies[0].url, member)],
    [
      'TallyroomPasswordsGuessed',
      'somebody guesses passwords',
      async () =>
        again(async () => {
          const username = `nobody${randomUUID().slice(0, 8)}`
          await makeClient(copies[0].url).ask('login', { username, password: 'guess' })
          await pause(500)
        }),
    ],
    [
      'TallyroomCallsTooOften',
      'one session calls 300 times a second',
      async () =>
        again(async () => {
          await Promise.all(Array.from({ length: 60 }, view))
          await pause(200)
        }),
    ],
    ...databaseTroubles(world),
  ]
}
