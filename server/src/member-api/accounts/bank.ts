import type { MemberApi } from '@tallyroom/contract/member-api'
import { fold } from '@tallyroom/contract/text/fold'
import type { z } from 'zod'
import { maskedNumber } from '../../accounts/bank.ts'
import { bankMember, locked } from '../../calls/points/bank.ts'
import { accountsOf, saveAccounts } from '../../calls/points/bank/save.ts'
import { besideTransaction, type Db, many, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { audit } from '../../identity/audit.ts'
import { ensure } from '../../lib/refusal.ts'
import type { ApiCtx } from '../context.ts'
import { type AccountName, memberBelow } from '../named-account.ts'
import { inOffice, inOfficeReading } from './in-office.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>
type Bank = { id: number; name: string; isOffered: boolean }

const banksOf = (db: Db, topId: number): Promise<Bank[]> =>
  many<Bank>(
    db,
    sql`select id, name, status = ${is.offered} as "isOffered" from banks where top_id = ${topId} order by lower(name)`,
  )

const listed = async (ctx: ApiCtx, member: Parameters<typeof accountsOf>[1], isWhole: boolean) => {
  const { db, services, topId } = ctx
  const accounts = await accountsOf(db, member)
  const banks = await banksOf(db, topId)
  // Its own transaction: that of a read may be on a standby.
  if (isWhole && accounts.length > 0)
    await besideTransaction(() =>
      services.db.transact(async (tx) => {
        for (const { account_no } of accounts)
          await audit(tx, ctx, 'masked_shown', member, { account_no: maskedNumber(account_no) })
      }),
    )
  return {
    data: accounts.map(({ id, bank, account_name, account_no, held_until }) => ({
      id,
      bank,
      account_name,
      account_no: isWhole ? account_no : maskedNumber(account_no),
      changed_until: held_until,
    })),
    banks: banks.filter(({ isOffered }) => isOffered).map(({ name }) => name),
  }
}

const idOf = async (ctx: ApiCtx, who: AccountName) => ({ member_id: (await memberBelow(ctx, who)).id })

export const bankHandlers = {
  'bank/list': async (ctx: ApiCtx, who: Input<'bank/list'>) => {
    const { actor } = await inOfficeReading(ctx)
    const member = await bankMember(ctx.db, actor, await idOf(ctx, who))
    return listed(ctx, member, ctx.rights.includes('cash:fulfil'))
  },

  'bank/set': async (ctx: ApiCtx, { accounts, ...who }: Input<'bank/set'>) => {
    const office = await inOffice(ctx)
    const member = await bankMember(ctx.db, office.actor, await idOf(ctx, who), locked)
    const banks = await banksOf(ctx.db, ctx.topId)
    const wanted = accounts.map(({ bank, ...account }) => ({
      ...account,
      bank_id: ensure(
        banks.find(({ name }) => fold(name) === fold(bank)),
        'bank.unknown',
      ).id,
    }))
    // The signature of its call is the proof of a key.
    await saveAccounts(office, member, wanted, () => Promise.resolve())
    return listed(ctx, member, false)
  },
}
