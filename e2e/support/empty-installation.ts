import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@tallyroom/postgres'
import { migrateFor } from '../../server/src/data/access.ts'
import { whenDone } from '../../server/src/testing/postgres.ts'

const newDirectory = () => {
  const made = mkdtempSync(join(tmpdir(), 'tallyroom-start-'))
  whenDone(() => rmSync(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return made
}

/**
 * Returns a function that makes data directories with a migrated database and no account, as copies of one: making a
 * database needs a second of a processor. They are removed after the test file.
 */
export const emptyInstallations = () => {
  let first: Promise<string> | undefined
  const makeFirst = async () => {
    const dataDir = newDirectory()
    const postgres = await startPostgres({ dataDir, durable: false })
    try {
      await migrateFor(postgres)
    } finally {
      await postgres.stop()
    }
    return dataDir
  }
  return async (): Promise<string> => {
    const from = await (first ??= makeFirst())
    const to = newDirectory()
    // With the owner of the database's files, which is another user when root runs the tests.
    execFileSync('cp', ['-a', `${from}/.`, to])
    return to
  }
}
