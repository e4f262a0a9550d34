/** What the page about the installation says something about, in its order. No Zod here: the page imports this file. */
export const installationTopics = {
  now: ['people', 'messages', 'transfers', 'waiting', 'webhooks', 'pushes'],
  safety: ['points', 'seal', 'backup', 'drill', 'archive', 'media'],
  space: ['database', 'disk', 'standbys'],
  checks: ['versions', 'migrations', 'key', 'clock', 'pooler', 'parts', 'relay', 'proxy', 'workers', 'demo'],
} as const
export type InstallationPart = keyof typeof installationTopics
export type InstallationTopic = (typeof installationTopics)[InstallationPart][number]
/** `warning`: somebody should look at it. `wrong`: somebody must act. */
export const findingStates = ['fine', 'warning', 'wrong'] as const
export type FindingState = (typeof findingStates)[number]
/** More is not counted. */
export const MAX_COUNTED = 100_000
