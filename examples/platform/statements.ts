import { tallyroom } from './tallyroom.ts'

/** The sums of a day such as `2026-12-01` for all your accounts, and its movements. */
export const bookDay = async (day: string) => {
  const asked = { scope: 'branch', start_date: day, end_date: day } as const
  const sums = await tallyroom.statement.view(asked)
  const lines = []
  for await (const { transaction_id, account, amount, by } of tallyroom.statement.lines(asked))
    lines.push({ transaction_id, account: account.username, amount, by })
  return { sums, lines }
}
