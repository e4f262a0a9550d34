import { expect, test } from 'vitest'
import { freshDatabase, migratedUrl, ownerOf } from '../testing/postgres.ts'
import { configOf } from './access.ts'
import { refuseBesideServers } from './running-servers.ts'
import { connect, one, sql } from './sql.ts'

test('[RUN-07] a command that must be alone is refused while a server is connected, and not afterwards', async () => {
  const config = await freshDatabase()
  const named = configOf(`${migratedUrl(config)}?application_name=books`)
  for (const [server, command] of [
    [config, config],
    // The owner sees the connections of the role that serves.
    [config, ownerOf(config)],
    [named, named],
  ]) {
    if (!server || !command) throw new Error('no server or no command')
    const db = connect(server)
    await one(db, sql`select 1`)
    await expect(refuseBesideServers(command, 'npm run key -- accept')).rejects.toThrow(
      /^Tallyroom is running .*Stop all copies first.*npm run key -- accept$/,
    )
    await db.end()
    // The server's process of a connection ends a moment after the connection.
    const isAlone = () =>
      refuseBesideServers(command, 'npm run key -- accept').then(
        () => true,
        () => false,
      )
    await expect.poll(isAlone).toBe(true)
  }
})
