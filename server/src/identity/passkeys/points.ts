import { hash } from 'node:crypto'

/** The points that a passkey confirms: `amount` in 1/10000 points; `payerId` is the account whose wallet gives or gets them. */
export type PointsSubject = {
  payerId: number
  memberId: number
  amount: bigint
  kind: number
  wallet: number
  requestId: string
}

/** The device signs this hash, which no other amount, member, kind, wallet, payer or request has. */
export const pointsChallenge = ({ payerId, memberId, amount, kind, wallet, requestId }: PointsSubject): string =>
  hash(
    'sha256',
    JSON.stringify(['tallyroom/points/1', payerId, memberId, String(amount), kind, wallet, requestId.toLowerCase()]),
    'base64url',
  )
