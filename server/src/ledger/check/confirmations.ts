import { TransferKind } from '@tallyroom/contract/codes'
import { type Db, many, sql } from '../../data/sql.ts'
import { challengeIn, isSignatureOf, type StoredSignature } from '../../identity/passkeys/check.ts'
import { pointsChallenge } from '../../identity/passkeys/points.ts'

type Row = StoredSignature & {
  id: bigint
  requestId: string
  transactionId: string | null
  payerId: number
  memberId: number
  amount: bigint
  kind: number
  wallet: number
}
type ConfirmationFault = { id: bigint; transactionId: string | null; what: 'other points' | 'signature' }
export type ConfirmationReport = { checked: number; withoutTransfer: number; faults: ConfirmationFault[] }

const PAGE = 500

/** If the transfer exists, its own row counts, not the values beside the signature. */
const page = (db: Db, after: bigint) =>
  many<Row>(
    db,
    sql`select c.id, c.request_id::text as "requestId", c.credential_id as "credentialId", c.public_key as "publicKey",
        c.origin, c.host, c.client_data as "clientData", c.authenticator_data as "authenticatorData", c.signature,
        t.transaction_id::text as "transactionId", coalesce(t.funder_id, c.payer_id) as "payerId",
        coalesce(t.target_id, c.member_id) as "memberId", coalesce(t.amount, c.amount) as amount,
        coalesce(t.op, c.kind) as kind, coalesce(t.wallet, c.wallet) as wallet
      from point_confirmations c
        left join requests r on r.actor_id = c.actor_id and r.request_id = c.request_id
        left join confirmed_transfers k on k.confirmation_id = c.id
        left join transfers t on t.transaction_id = coalesce((r.answer->'data'->>'transaction_id')::uuid, k.transaction_id)
          -- A correction that waits for a second account names the transfer that it would correct.
          and (c.kind <> ${TransferKind.correction} or t.op = ${TransferKind.correction})
      where c.id > ${after} order by c.id limit ${PAGE}::int`,
  )

/** Checks every stored signature against the points that have moved. */
export const checkConfirmations = async (db: Db): Promise<ConfirmationReport> => {
  const report: ConfirmationReport = { checked: 0, withoutTransfer: 0, faults: [] }
  for (let after = 0n; ; ) {
    const rows = await page(db, after)
    for (const row of rows) {
      report.checked++
      if (row.transactionId === null) report.withoutTransfer++
      const what = await faultOf(row)
      if (what) report.faults.push({ id: row.id, transactionId: row.transactionId, what })
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return report
    after = last.id
  }
}

const faultOf = async (row: Row): Promise<ConfirmationFault['what'] | undefined> => {
  const challenge = pointsChallenge(row)
  if (challengeIn(row.clientData) !== challenge) return 'other points'
  const isRight = await isSignatureOf(row, challenge)
  return isRight ? undefined : 'signature'
}
