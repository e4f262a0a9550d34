import {
  addressOf,
  ownerConfig,
  superuserConfig,
  copyTemplate,
  dropCopies,
  type Template,
} from '../../server/src/testing/template.ts'
import { type Server, startServer } from './server.ts'

/** The environment variable by which global-setup.ts hands the template to the workers. */
export const TEMPLATE = 'JOURNEY_TEMPLATE'
export const ADMIN_PASSWORD = 'journey-Passw0rd'

/** Starts the built server on a database of its own, a copy of the template: no initdb, no migrations. */
export const startJourneyServer = async ({ env = {} }: { env?: Record<string, string> } = {}): Promise<Server> => {
  const passed = process.env[TEMPLATE]
  if (passed === undefined) throw new Error(`${TEMPLATE} is not set: start journeys with e2e/playwright.config.ts`)
  const template = JSON.parse(passed) as Template
  const copy = await copyTemplate(template)
  const owner = template.hasRoles ? { DATABASE_OWNER_URL: addressOf(ownerConfig(template, copy)) } : {}
  const server = await startServer({
    password: ADMIN_PASSWORD,
    env: { DATABASE_URL: addressOf(copy), ...owner, ...env },
  })
  const remove = async () => {
    // Its data is dropped with it: nothing needs a proper stop, which waits for the browsers that are still open.
    await server.kill()
    await server.remove()
    await dropCopies(template, [copy])
  }
  return { ...server, database: superuserConfig(template, copy), remove }
}
