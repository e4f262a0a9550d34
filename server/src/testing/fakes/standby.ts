import pg from 'pg'
import type { TestConnection } from '../postgres.ts'

/** A standby that takes the log of the primary and says that it has replayed it up to `replayed`, in bytes. */
export const openFakeStandby = async (
  superuser: TestConnection,
): Promise<{ confirm: (replayed: bigint) => void; end: () => Promise<void> }> => {
  const client = new pg.Client({ ...superuser, replication: 'true', application_name: 'standby' } as pg.ClientConfig)
  client.on('error', () => undefined)
  await client.connect()
  const { connection } = client as unknown as {
    connection: { sendCopyFromChunk: (chunk: Buffer) => void } & pg.Connection
  }
  const { rows } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM')
  const started = new Promise<void>((resolve) => connection.once('replicationStart', () => resolve()))
  client.query(`START_REPLICATION PHYSICAL ${rows[0]?.xlogpos}`).catch(() => undefined)
  await started
  return {
    confirm: (replayed) => {
      const chunk = Buffer.alloc(34)
      chunk.write('r')
      // Written, flushed and replayed; the time and whether an answer is wanted stay 0.
      for (const at of [1, 9, 17]) chunk.writeBigInt64BE(replayed, at)
      connection.sendCopyFromChunk(chunk)
    },
    end: () => client.end(),
  }
}
