import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addressOf,
  ownerConfig,
  superuserConfig,
  copyTemplate,
  dropCopies,
  type Template,
} from '../../server/src/testing/template.ts'
import { startHosted } from './host/host.ts'
import type { Server } from './server.ts'

/** The environment variable by which global-setup.ts hands the template to the workers. */
export const TEMPLATE = 'JOURNEY_TEMPLATE'
export const ADMIN_PASSWORD = 'journey-Passw0rd'

/** Starts a server on a database of its own, a copy of the template: no initdb, no migrations, no new program. */
export const startJourneyServer = async ({ env = {} }: { env?: Record<string, string> } = {}): Promise<Server> => {
  const passed = process.env[TEMPLATE]
  if (passed === undefined) throw new Error(`${TEMPLATE} is not set: start journeys with e2e/playwright.config.ts`)
  const template = JSON.parse(passed) as Template
  const copy = await copyTemplate(template)
  const owner = template.hasRoles ? { DATABASE_OWNER_URL: addressOf(ownerConfig(template, copy)) } : {}
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-e2e-'))
  const found = { DATA_DIR: dataDir, DATABASE_URL: addressOf(copy), ...owner }
  // All tests call from one address, some through one session.
  const { url, output, stop } = await startHosted({ ...found, REDIS_URL: '', CALL_LIMITS: 'off', ...env })
  const remove = async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await dropCopies(template, [copy])
  }
  const database = superuserConfig(template, copy)
  return { url, password: ADMIN_PASSWORD, dataDir, env: { DATABASE_OWNER_URL: '', ...found }, database, output, remove }
}
