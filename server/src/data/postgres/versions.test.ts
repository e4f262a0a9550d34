import { expect, test } from 'vitest'
import { nodeUnsupportedSince } from '../../lib/version.mjs'
import { complaintOfPostgres } from './versions.ts'

test('[RUN-12] an old release of PostgreSQL, and one without fixes, is said', () => {
  const now = new Date('2026-12-01')
  expect(complaintOfPostgres('18.4', now)).toBe('PostgreSQL 18.4 is older than 18.6, which mends known weaknesses.')
  expect(complaintOfPostgres('18.6', now)).toBeUndefined()
  // Made after this version, so nothing is known of it.
  expect(complaintOfPostgres('19.0', now)).toBeUndefined()
  expect(complaintOfPostgres('15.30', new Date('2027-11-12'))).toBe('PostgreSQL 15 has got no fixes since 2027-11-11.')
})

test('[RUN-12] a Node whose support has ended is said', () => {
  const now = new Date('2026-12-01')
  expect(nodeUnsupportedSince(now, '20.19.0')).toBe('2026-04-30')
  expect(nodeUnsupportedSince(now, '24.1.0')).toBeUndefined()
  expect(nodeUnsupportedSince(now, '28.0.0')).toBeUndefined()
})
