import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InstallationKey } from '../data/installation-key.ts'

/** Long enough to begin a download; one that has begun goes on. */
const VALID_MS = 5 * 60_000

/** The session that may load a member's data: the address is of no use to others. */
type ExportLink = { sessionId: bigint; memberId: number }

const sign = (key: InstallationKey, text: string) =>
  createHmac('sha256', key.derive('person-export/v1')).update(text).digest('base64url')

export const makeExportLink = (key: InstallationKey, { sessionId, memberId }: ExportLink): string => {
  const text = `${sessionId}-${memberId}-${Date.now() + VALID_MS}`
  return `/media/person/${text}-${sign(key, text)}`
}

/** Undefined for a text that is none of ours, or whose time is over. */
export const readExportLink = (key: InstallationKey, given: string): ExportLink | undefined => {
  const [, text = '', session = '', member = '', until = '', proof = ''] =
    /^((\d{1,19})-(\d{1,10})-(\d{1,15}))-([\w-]{43})$/.exec(given) ?? []
  if (!text || !timingSafeEqual(Buffer.from(proof), Buffer.from(sign(key, text)))) return undefined
  return Number(until) < Date.now() ? undefined : { sessionId: BigInt(session), memberId: Number(member) }
}
