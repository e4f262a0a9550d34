import type { Answer } from '@tallyroom/contract'
import type { installationCalls } from '@tallyroom/contract/calls/office/installation'
import { postgresVersion } from '../../data/postgres/versions.ts'
import { findAll } from '../../doctor/findings.ts'
import { asTyped } from '../../lib/typed-commands.ts'
import { version } from '../../lib/version.mjs'
import type { Services } from '../../services.ts'
import type { Handlers } from '../handler.ts'

/** Admins who look at once, or press a key again and again, cost the database one look. */
const FRESH_MS = 15_000
const looks = new WeakMap<Services['live'], { until: number; answer: Promise<Answer<'installation/view'>> }>()

const look = async (services: Services): Promise<Answer<'installation/view'>> => ({
  at: new Date().toISOString(),
  is_outside: services.settings.databaseUrl !== undefined,
  versions: {
    tallyroom: version,
    node: process.versions.node,
    postgres: await postgresVersion(services.db).catch(() => null),
  },
  commands: {
    doctor: asTyped('npm run doctor'),
    backup: asTyped('npm run backup -- DIR'),
    drill: asTyped('npm run drill -- DIR'),
  },
  findings: await findAll(services),
})

export const installationHandlers = {
  'installation/view': ({ services }) => {
    const known = looks.get(services.live)
    if (known && performance.now() < known.until) return known.answer
    const answer = look(services)
    looks.set(services.live, { until: performance.now() + FRESH_MS, answer })
    // A failure is no answer for the next one who asks.
    answer.catch(() => looks.delete(services.live))
    return answer
  },
} satisfies Handlers<typeof installationCalls>
