import type { Answer } from '@tallyroom/contract'
import type { Finding } from '@tallyroom/contract/calls/office/installation'
import type { InstallationTopic } from '@tallyroom/contract/installation'
import { MAX_COUNTED } from '@tallyroom/contract/installation'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import { groupCount } from '../../ui/form/amount-text.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR

/** In the largest unit that says enough: an age of three days is not given in hours. */
export const timeText = (t: Translate, seconds: number): string => {
  if (seconds < 2 * HOUR) return t('installation.minutes', { n: Math.max(1, Math.floor(seconds / MINUTE)) })
  if (seconds < 2 * DAY) return t('installation.hours', { n: Math.floor(seconds / HOUR) })
  return t('installation.days', { n: Math.floor(seconds / DAY) })
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']
export const sizeText = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3)))
  return `${(bytes / 1000 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}

type Values = Record<string, string>
type Sentence = (finding: Finding, isOutside: boolean) => WordKey | undefined

/** A word for each topic that says numbers; the others are named, and only their state is shown. */
const sentences: Partial<Record<InstallationTopic, Sentence>> = {
  people: () => 'installation.people',
  messages: () => 'installation.messages',
  transfers: () => 'installation.transfers',
  waiting: ({ count }) => (count === 0 ? 'installation.waiting_none' : 'installation.waiting'),
  webhooks: ({ count }) => (count === 0 ? 'installation.webhooks_none' : 'installation.webhooks'),
  pushes: () => 'installation.pushes',
  points: ({ state }) => (state === 'fine' ? 'installation.points_fine' : 'installation.points_wrong'),
  seal: ({ state }) => (state === 'fine' ? 'installation.seal_fine' : 'installation.seal_behind'),
  backup: ({ seconds }, isOutside) => {
    if (seconds !== null) return 'installation.backup'
    return isOutside ? 'installation.backup_outside' : 'installation.backup_never'
  },
  drill: ({ seconds }) => (seconds === null ? 'installation.drill_never' : 'installation.drill'),
  database: ({ bytes, more_bytes }) => {
    if (bytes === null) return 'installation.database_silent'
    return more_bytes === null ? 'installation.database_new' : 'installation.database'
  },
  disk: () => 'installation.disk',
  standbys: ({ state, count, seconds }) => {
    if (count) return 'installation.standbys_away'
    if (state === 'fine') return 'installation.standbys_fine'
    return seconds ? 'installation.standbys_behind' : 'installation.standbys_ill'
  },
}

const named: Partial<Record<InstallationTopic, WordKey>> = {
  archive: 'installation.archive',
  media: 'installation.media',
  versions: 'installation.versions',
  migrations: 'installation.migrations',
  key: 'installation.key',
  clock: 'installation.clock',
  parts: 'installation.parts',
  relay: 'installation.relay',
  pooler: 'installation.pooler',
  workers: 'installation.workers',
  proxy: 'installation.proxy',
  demo: 'installation.demo',
}

export const sentenceOf = (t: Translate, finding: Finding, isOutside: boolean): string => {
  const { topic, count, seconds, bytes, more_bytes } = finding
  const values: Values = {
    count: count === null ? '?' : `${count > MAX_COUNTED ? '> ' : ''}${groupCount(Math.min(count, MAX_COUNTED))}`,
    time: timeText(t, seconds ?? 0),
    size: sizeText(bytes ?? 0),
    more: sizeText(more_bytes ?? 0),
  }
  const word = sentences[topic]?.(finding, isOutside) ?? named[topic]
  return word ? t(word, values) : topic
}

const advice: Partial<Record<InstallationTopic, WordKey>> = {
  waiting: 'installation.do_waiting',
  webhooks: 'installation.do_webhooks',
  pushes: 'installation.do_pushes',
  points: 'installation.do_points',
  seal: 'installation.do_seal',
  backup: 'installation.do_backup',
  drill: 'installation.do_drill',
  disk: 'installation.do_disk',
  standbys: 'installation.do_standbys',
}

type Typed = Answer<'installation/view'>['commands']

/** What is read for it, in every language alike. */
const pages: Partial<Record<InstallationTopic, string>> = {
  pushes: 'docs/operations/copies.md',
  seal: 'docs/seal.md',
}

/** What to do about it; nothing while it is fine. */
export const adviceOf = (t: Translate, { topic, state }: Finding, isOutside: boolean, typed: Typed): string => {
  if (state === 'fine') return ''
  if (isOutside && topic === 'backup') return t('installation.do_backup_outside', { command: 'DATA_DIR/last-backup' })
  const command = topic === 'backup' || topic === 'drill' ? typed[topic] : (pages[topic] ?? typed.doctor)
  return t(advice[topic] ?? 'installation.do_doctor', { command })
}
