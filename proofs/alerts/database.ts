import pg from 'pg'
import { again } from '../../e2e/support/again.ts'
import { locks } from '../../server/src/data/locks.ts'
import { lockTable } from '../plant.ts'
import { withoutRequestParts } from '../prometheus.ts'
import { ask } from '../standby.ts'
import type { Trouble } from './troubles.ts'
import type { World } from './world.ts'

/** Troubles of the database and of those who write to it past the program. */
export const databaseTroubles = (world: World): Trouble[] => {
  const { agent, database, cluster, standby, db, member, pay, set, view } = world
  const open = async (name = 'psql') => {
    const client = new pg.Client({ ...database, application_name: name })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const plant = (change: string, back: string) => async () => {
    await set(change)
    return () => set(back)
  }
  /** A table that is locked for most of the time. */
  const slowly = (table: string, call: () => Promise<unknown>) => async () => {
    const stopCalls = again(call)
    const stopLocks = again(async () => {
      const release = await lockTable(database, table)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await release()
      // A longer gap lets ten fast batches pass, and the mean of all is a fast one.
      await new Promise((resolve) => setTimeout(resolve, 10))
    })
    return () => stopLocks().then(stopCalls)
  }
  const past = (statements: string) =>
    `set session_replication_role = replica; ${statements}; reset session_replication_role`
  const wallet = `(select id from wallets where account_id = ${member.id} and kind = 1)`
  const changePosting = plant(
    past(`update postings set amount = amount + 1 where seq = 1 and wallet_id in ${wallet}`),
    past(`update postings set amount = amount - 1 where seq = 1 and wallet_id in ${wallet}`),
  )
  const entry = '(select min(audit_id) from audit_chain)'
  const changeEntry = plant(
    past(`update audit_log set address = address || '0' where id = ${entry}`),
    past(`update audit_log set address = left(address, -1) where id = ${entry}`),
  )
  const moveBetween = (amount: number) =>
    `update wallets set balance = balance + case account_id when ${member.id} then ${amount} else -(${amount}) end
      where kind = 1 and account_id in (${member.id}, ${agent.id})`
  const withoutSync = async () => {
    await ask(database.port, `alter system set synchronous_standby_names = ''`)
    await ask(database.port, 'select pg_reload_conf()')
  }
  const withSync = async () => {
    await ask(database.port, `alter system set synchronous_standby_names = '*'`)
    await ask(database.port, 'select pg_reload_conf()')
  }
  const withLockedTable = (table: string) => async () => {
    const release = await lockTable(database, table)
    const stop = again(pay)
    return () => release().then(stop)
  }
  return [
    ['TallyroomSlowCalls', 'a table is locked most of the time', slowly('accounts', view)],
    ['TallyroomSlowBatches', 'the wallets are locked most of the time', slowly('wallets', pay)],
    [
      'TallyroomDatabaseDown',
      'all processes of PostgreSQL stand still',
      async () => {
        cluster.signal('primary', 'SIGSTOP')
        return () => cluster.signal('primary', 'SIGCONT')
      },
    ],
    [
      'TallyroomTransactionLeftOpen',
      'psql has locked a wallet and does nothing',
      async () => {
        const client = await open()
        await client.query(`begin; select from wallets where account_id = ${member.id} for update`)
        const stop = again(pay)
        return async () => {
          await client.end()
          await stop()
        }
      },
    ],
    ['TallyroomLockWait', 'another session locks the wallets and works on', withLockedTable('wallets')],
    [
      'TallyroomDatabaseConnectionsTaken',
      'another program opens all connections',
      async () => {
        const taken: pg.Client[] = []
        for (let n = 0; n < 100; n++) {
          const client = await open('other').catch(() => undefined)
          if (!client) break
          taken.push(client)
        }
        // Those that are kept for superusers.
        await Promise.all(taken.splice(-4).map((client) => client.end()))
        return () => Promise.all(taken.map((client) => client.end()))
      },
    ],
    [
      'TallyroomStandbyLost',
      'a standby is killed, no commit waits for it',
      async () => {
        await withoutSync()
        cluster.signal('standby', 'SIGKILL')
        return () => cluster.heal()
      },
    ],
    [
      'TallyroomCommitsWait',
      'the synchronous standby is killed while people pay',
      async () => {
        cluster.signal('standby', 'SIGKILL')
        const stop = again(pay)
        return async () => {
          await withoutSync()
          await stop()
          await cluster.heal()
        }
      },
    ],
    [
      'TallyroomStandbyBehind',
      'a standby replays nothing more',
      async () => {
        await ask(standby, 'select pg_wal_replay_pause()')
        const stop = again(pay)
        return async () => {
          await ask(standby, 'select pg_wal_replay_resume()')
          await stop()
        }
      },
    ],
    [
      'TallyroomStandbyBehind',
      'a standby stands still as a whole',
      async () => {
        await withoutSync()
        cluster.signal('standby', 'SIGSTOP')
        const stop = again(pay)
        return async () => {
          cluster.signal('standby', 'SIGCONT')
          await stop()
          await withSync()
        }
      },
    ],
    [
      'TallyroomSlotUnread',
      'a replication slot that nobody reads',
      plant(
        `select pg_create_physical_replication_slot('forgotten', true)`,
        `select pg_drop_replication_slot('forgotten')`,
      ),
    ],
    [
      'TallyroomLedgerUneven',
      'a wallet is changed past the ledger',
      plant(
        `update wallets set balance = balance + 1 where id in ${wallet}`,
        `update wallets set balance = balance - 1 where id in ${wallet}`,
      ),
    ],
    [
      'TallyroomWalletBelowFloor',
      'a wallet below its floor',
      plant(
        `alter table wallets drop constraint wallets_floor; update wallets set balance = balance - 10000000000 where id in ${wallet}`,
        `update wallets set balance = balance + 10000000000 where id in ${wallet};
          alter table wallets add constraint wallets_floor check (floor is null or balance >= floor)`,
      ),
    ],
    ['TallyroomLedgerChanged', 'a posting is changed past the ledger', changePosting],
    ['TallyroomSealBroken', 'a posting is changed past the ledger', changePosting],
    ['TallyroomAuditChanged', 'an entry of the audit log is changed', changeEntry],
    ['TallyroomAuditBroken', 'an entry of the audit log is changed', changeEntry],
    [
      'TallyroomWalletWrong',
      'points are moved from wallet to wallet past the ledger',
      plant(moveBetween(1), moveBetween(-1)),
    ],
    ['TallyroomRequestParts', 'nobody makes parts of requests', withoutRequestParts(db)],
    [
      'TallyroomRequestParts',
      'the part of requests for today is detached',
      async () => {
        const part = 'select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds'
        const { rows } = await (async () => {
          const client = await open()
          const found = await client.query<{ name: string; bounds: string }>(
            `${part} from pg_class c join request_parts() p on p.name = c.relname where p.starts <= now() and p.ends > now()`,
          )
          await client.end()
          return found
        })()
        const [today] = rows
        await set(`alter table requests detach partition ${today?.name}`)
        return () => set(`alter table requests attach partition ${today?.name} ${today?.bounds}`)
      },
    ],
    // `set` has one connection, which keeps the lock.
    [
      'TallyroomSealStuck',
      'another session keeps the lock of the sealer',
      plant(`select pg_advisory_lock(${locks.seal})`, `select pg_advisory_unlock(${locks.seal})`),
    ],
    ['TallyroomSealStuck', 'the table of the seal is locked', withLockedTable('seal_parts')],
    [
      'TallyroomSealBehind',
      'the seal is 20 minutes behind',
      plant(
        `select pg_advisory_lock(${locks.seal}); insert into seal_state (whole_at) values (now() - interval '20 minutes')
          on conflict (id) do update set whole_at = excluded.whole_at`,
        `select pg_advisory_unlock(${locks.seal})`,
      ),
    ],
  ]
}
