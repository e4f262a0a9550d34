import { TransferStatus } from '@tallyroom/contract/codes'
import { factsOfKind, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Amount } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useCall } from '../../api/use-call.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { LeadingName, MovedAmount, RowStatus } from '../../domain/transfer-cells.tsx'
import { CorrectionDialog } from './correction-dialog.tsx'
import { movementText } from '../../domain/transfer-words.ts'
import { RemarkDialog } from './remark-dialog.tsx'
import './drawer.css'
import { useMay } from '../../api/use-menu.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { NamedSentence } from '../../domain/named-sentence.tsx'

type View = Answer<'transaction/view'>
type Posting = View['postings'][number]

type Props = {
  id: string
  isInAddress?: boolean
  /** Opened in the record of red envelopes: with the words of its list. */
  inRecord?: boolean
  onClose: () => void
}

/** One transfer as recorded in the ledger: accounts, postings, and earlier remarks. */
export const TransferDrawer = ({ id, isInAddress = false, inRecord = false, onClose }: Props) => {
  const { t } = useWords()
  const [shown, setShown] = useState(id)
  const view = useCall('transaction/view', { transaction_id: shown })
  const [open, setOpen] = useState<'remark' | 'correction'>()
  const mayCorrect = useMay('transaction/correct')
  return (
    <SideDrawer
      isInAddress={isInAddress}
      phone="88%"
      onClose={onClose}
      title={
        view.data
          ? movementText(view.data, t, view.data.member_nickname || view.data.member_username)
          : t('history.details')
      }
    >
      {view.error && <Alert text={view.error.message} />}
      {view.isPending && <p role="status">{t('table.loading')}</p>}
      {view.data && <Details {...{ view: view.data, inRecord, mayCorrect }} onOpen={setOpen} onOther={setShown} />}
      {open === 'remark' && view.data && <RemarkDialog row={view.data} onClose={() => setOpen(undefined)} />}
      {open === 'correction' && view.data && <CorrectionDialog view={view.data} onClose={() => setOpen(undefined)} />}
    </SideDrawer>
  )
}

type DetailsProps = {
  view: View
  inRecord: boolean
  mayCorrect: boolean
  onOpen: (what: 'remark' | 'correction') => void
  onOther: (transactionId: string) => void
}

/** Whether a transfer has a kind that can be corrected, succeeded, and is not corrected yet. */
const isCorrectable = ({ status, type, corrected }: View) =>
  status === TransferStatus.success && factsOfKind(type)?.isCorrectable === true && !corrected

const Details = ({ view, inRecord, mayCorrect, onOpen, onOther }: DetailsProps) => {
  const { t } = useWords()
  const isPending = view.status === TransferStatus.pending
  return (
    <>
      {view.past === 1 && <p className="notice">{t('history.past')}</p>}
      <p className="amount-large">
        <MovedAmount exact amount={view.amount} status={view.status} view={viewOfKind(view.type, view.corrects_type)} />
      </p>
      <dl className="lines">
        <Fact label={t('account.status')}>
          {/* A pending envelope reads as on its card in the room. */}
          <RowStatus row={view} envelope={inRecord || (isPending && view.envelope === 1)} />
        </Fact>
        {view.envelope === 1 && !view.request && !view.approval && (
          <Fact label={t('envelope.progress')}>{t(isPending ? 'envelope.unfinished' : 'envelope.finished')}</Fact>
        )}
        <Fact label={t('history.member')}>
          <LeadingName id={view.member_id} nickname={view.member_nickname} username={view.member_username} />
        </Fact>
        <Fact label={t('history.operator')}>
          <AccountLink who={{ id: view.user_id, username: view.user_username }}>
            <bdi>{view.user_username}</bdi>
          </AccountLink>
        </Fact>
        <Fact label={t('history.created_at')}>
          <span className="points">{view.created_at}</span>
        </Fact>
        {view.settled_at && view.settled_at !== view.created_at && (
          <Fact label={t('history.settled_at')}>
            <span className="points">{view.settled_at}</span>
          </Fact>
        )}
        {view.audit_amount !== '0.0000' && (
          <Fact label={t('room.turnover')}>
            <Amount exact value={view.audit_amount} />
          </Fact>
        )}
        <Fact label={t('transfer.remark')}>{view.remark || t('history.no_remark')}</Fact>
        {view.bank_reference && (
          <Fact label={t('requests.reference')}>
            <bdi>{view.bank_reference}</bdi>
          </Fact>
        )}
        <Fact label={t('history.transaction_id')}>
          <span className="drawer-id">{view.transaction_id}</span>
        </Fact>
        <Other label={t('transfer.corrects')} id={view.corrects} onOpen={onOther} />
        <Other label={t('history.corrected_by')} id={view.corrected_by} onOpen={onOther} />
      </dl>
      <Postings postings={view.postings} />
      <Edits edits={view.edits} />
      <div className="sheet-actions">
        {view.past !== 1 && (
          <button type="button" className="button" onClick={() => onOpen('remark')}>
            <Icon name="edit" size={16} />
            {t('history.edit_remark')}
          </button>
        )}
        {mayCorrect && view.past !== 1 && isCorrectable(view) && (
          <button type="button" className="button button-danger" onClick={() => onOpen('correction')}>
            <Icon name="transfer" size={16} />
            {t('transfer.correct')}
          </button>
        )}
        {view.room && (
          <Link
            className="button"
            to="/chat/messaging/$room_id/$member_id/$room_code"
            params={{
              room_id: String(view.room.room_id),
              member_id: String(view.room.member_id),
              room_code: view.room.code,
            }}
          >
            <Icon name="chat" size={16} />
            {t('history.open_room')}
          </Link>
        )}
      </div>
    </>
  )
}

/** The other transfer of a correction; clicking shows it here. */
const Other = ({ label, id, onOpen }: { label: string; id: string | null; onOpen: (id: string) => void }) =>
  id !== null && (
    <Fact label={label}>
      <button type="button" className="drawer-id drawer-other" onClick={() => onOpen(id)}>
        {id}
      </button>
    </Fact>
  )

const wallets: Record<number, WordKey> = { 1: 'wallet.main', 2: 'wallet.game', 3: 'wallet.escrow' }

/** The postings of each step; they always sum to zero. */
const Postings = ({ postings }: { postings: readonly Posting[] }) => {
  const { t } = useWords()
  const legs = [0, 1].flatMap((leg) => {
    const own = postings.filter((posting) => posting.leg === leg)
    return own.length ? [{ leg, own }] : []
  })
  return (
    <section className="drawer-part">
      <h2>{t('history.postings')}</h2>
      {legs.length === 0 && <p>{t('history.not_moved')}</p>}
      {legs.map(({ leg, own }) => (
        <table key={leg} className="lines-table">
          <caption>
            {t(leg === 0 ? 'history.leg_made' : 'history.leg_settled')} <span className="points">{own[0]?.at}</span>
          </caption>
          <thead>
            <tr>
              <th scope="col">{t('transfer.wallet')}</th>
              <th scope="col" className="end">
                {t('statement.in')}
              </th>
              <th scope="col" className="end">
                {t('statement.out')}
              </th>
              <th scope="col" className="end">
                {t('history.balance')}
              </th>
            </tr>
          </thead>
          <tbody>
            {own.map((posting) => (
              <tr key={`${posting.username} ${posting.wallet} ${posting.amount}`}>
                <td>
                  <AccountLink who={{ username: posting.username }}>
                    <bdi>{posting.username}</bdi>
                  </AccountLink>
                  <span className="drawer-wallet">{t(wallets[posting.wallet] ?? 'wallet.main')}</span>
                </td>
                {/* The wallet's columns, without signs: a sign always means the member (CONV-15). */}
                <td className="end">{!posting.amount.startsWith('-') && <Amount exact value={posting.amount} />}</td>
                <td className="end">
                  {posting.amount.startsWith('-') && <Amount exact value={posting.amount.slice(1)} />}
                </td>
                <td className="end">
                  {posting.balance_after === null ? (
                    t('history.balance_untold')
                  ) : (
                    <Amount exact value={posting.balance_after} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

/** ENV-08: earlier remarks stay readable. */
const Edits = ({ edits }: { edits: View['edits'] }) => {
  const { t } = useWords()
  if (edits.length === 0) return null
  return (
    <section className="drawer-part">
      <h2>{t('history.edits')}</h2>
      <ol className="drawer-edits">
        {edits.map(({ at, by, old_remark }) => (
          <li key={at + old_remark}>
            <bdi>{old_remark || t('history.no_remark')}</bdi>
            <span className="drawer-wallet">
              <NamedSentence who={{ name: { username: by } }} say={({ name }) => t('history.edit_by', { name, at })} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
