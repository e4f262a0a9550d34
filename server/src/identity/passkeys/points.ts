import { hash } from 'node:crypto'

/** What a passkey confirms. `amount` is in 1/10000 points; `payerId` is the account whose wallet gives or gets them. */
export type PointsSubject = {
  payerId: number
  memberId: number
  amount: bigint
  kind: number
  wallet: number
  requestId: string
}

/** What is signed: a hash that no other amount, member, kind, wallet, payer or request has. */
export const pointsChallenge = ({ payerId, memberId, amount, kind, wallet, requestId }: PointsSubject): string =>
  hash(
    'sha256',
    JSON.stringify(['tallyroom/points/1', payerId, memberId, String(amount), kind, wallet, requestId.toLowerCase()]),
    'base64url',
  )
