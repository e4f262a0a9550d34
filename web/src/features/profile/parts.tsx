import type { AccountPart } from '@tallyroom/contract/pages/account-parts'
import { isOffice } from '@tallyroom/contract/codes'
import { type ReactNode, Suspense } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { PanelFacts } from '../room/panel/panel-facts.tsx'
import type { Noting } from '../room/panel/note-field.tsx'
import type { Account } from './account.ts'
import '../room/panel/panel.css'

const History = lazyPart(async () => (await import('../transfer/history-page.tsx')).History)
const CashRequests = lazyPart(async () => (await import('./cash-requests.tsx')).CashRequests)
const BankAccounts = lazyPart(async () => (await import('./bank-accounts.tsx')).BankAccounts)
const Notes = lazyPart(async () => (await import('./notes.tsx')).Notes)
const Rights = lazyPart(async () => (await import('../right/rights-page.tsx')).Rights)
const Limits = lazyPart(async () => (await import('./limits-form.tsx')).LimitsForm)
const Sessions = lazyPart(async () => (await import('../account/sessions-card.tsx')).SessionsOf)
const AuditList = lazyPart(async () => (await import('../audit/audit-page.tsx')).AuditList)
const ColleagueOverview = lazyPart(async () => (await import('./colleague-overview.tsx')).ColleagueOverview)

/** The parts of an account's page, and what they are called. */
export const useParts = (account: Account, noting: Noting) => {
  const { t } = useWords()
  const words: Record<AccountPart, string> = {
    overview: t('account_view.overview'),
    transactions: t('history.transactions'),
    requests: t('menu.requests'),
    bank: t('bank.titles'),
    notes: t('search.notes'),
    rights: t('right.rights'),
    limits: t('account_view.limits'),
    sessions: t('account_view.sessions'),
    audit: t('menu.audit'),
  }
  const render = (part: AccountPart): ReactNode => (
    <Suspense fallback={<p role="status">{t('table.loading')}</p>}>{partOf(part, account, noting)}</Suspense>
  )
  return { words, render }
}

const partOf = (part: AccountPart, account: Account, noting: Noting): ReactNode => {
  const { id, room } = account
  if (part === 'overview') return <Overview account={account} {...noting} />
  if (part === 'transactions') return <History accountId={id} />
  if (part === 'requests') return <CashRequests memberId={id} />
  if (part === 'bank') return <BankAccounts account={account} />
  if (part === 'notes') return room && <Notes roomId={String(room.room_id)} />
  if (part === 'rights') return <Rights id={account.is_self ? undefined : id} />
  if (part === 'limits') return <Limits id={id} />
  if (part === 'sessions')
    return (
      <section className="card profile-sessions">
        <Sessions id={id} />
      </section>
    )
  return <AuditList filter={{ account_id: id }} />
}

/** MEMB-03: of a member it is what the panel beside its conversation shows. */
const Overview = ({ account, ...noting }: { account: Account } & Noting) => {
  if (isOffice(account.role_id)) return <ColleagueOverview account={account} />
  const { id, username, nickname, room } = account
  const member = { member_id: id, partner_username: username, name: nickname || username, ...room }
  return <PanelFacts room={member} account={account} {...noting} />
}
