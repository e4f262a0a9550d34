const QUARTER_MS = 900_000
/** Two years of one zone. */
const MAX_KNOWN = 70_080

type Zone = { format: Intl.DateTimeFormat; known: Map<number, number> }
const zones = new Map<string, Zone>()

/**
 * How far the clock of an IANA time zone is ahead of UTC at a moment, in ms. Cached by quarters of an hour, on which
 * offsets change: Intl costs tens of microseconds per call, and a list shows thousands of times.
 */
export const offsetAt = (zone: string, ms: number): number => {
  if (zone === 'UTC') return 0
  const { format, known } = zoneOf(zone)
  const quarter = Math.floor(ms / QUARTER_MS)
  const found = known.get(quarter)
  if (found !== undefined) return found
  const start = quarter * QUARTER_MS
  // YYYY-MM-DD HH:mm:ss
  const local = Date.parse(`${format.format(start).replace(' ', 'T')}Z`)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(quarter, local - start)
  return local - start
}

const zoneOf = (zone: string): Zone => {
  const found = zones.get(zone)
  if (found) return found
  const format = new Intl.DateTimeFormat('sv-SE-u-nu-latn-ca-gregory', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const made: Zone = { format, known: new Map() }
  zones.set(zone, made)
  return made
}
