import { z } from 'zod'
import { calls } from '../../call.ts'
import { findingStates, installationTopics } from '../../installation.ts'

const { now, safety, space, checks } = installationTopics

/** What was found about a topic. Which numbers there are depends on the topic; null: not known, or never. */
const Finding = z.object({
  topic: z.enum([...now, ...safety, ...space, ...checks]),
  state: z.enum(findingStates),
  /** How many; at most MAX_COUNTED + 1. Of `standbys`: how many do not answer. */
  count: z.int().nullable(),
  /** Since the backup, since the oldest one waits, since all was sealed, or behind the primary. */
  seconds: z.number().nullable(),
  /** Size of the database; free on the disk. */
  bytes: z.number().nullable(),
  /** Growth of the database per day; size of the disk. */
  more_bytes: z.number().nullable(),
})
export type Finding = z.output<typeof Finding>

export const installationCalls = calls({
  /** How the installation is: what `npm run doctor` and the metrics say, for people. At most a quarter of a minute old. */
  'installation/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      at: z.string(),
      /** The database is elsewhere, so its backups cannot be seen from here. */
      is_outside: z.boolean(),
      /** `postgres` is null while the database does not answer. */
      versions: z.object({ tallyroom: z.string(), node: z.string(), postgres: z.string().nullable() }),
      /** As they are typed on the server: a release has a program of its own. */
      commands: z.object({ doctor: z.string(), backup: z.string(), drill: z.string() }),
      findings: z.array(Finding),
    }),
  },
})
