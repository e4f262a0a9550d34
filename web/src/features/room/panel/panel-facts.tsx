import { FlowStatus, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { movesPoints } from '../../../chat/model/message-kinds.ts'
import { getStored, setStored } from '../../../lib/storage.ts'
import { throttle } from '../../../lib/throttle.ts'
import { onConnected, onEvent } from '../../../api/live.ts'
import { showMoment } from '../../../i18n/time.ts'
import { Amount } from '../../../ui/amount.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { pointsOf } from '../../../ui/points-of.ts'
import { isMasked } from '../../../domain/masked.ts'
import { Switch } from '../../../ui/control/switch.tsx'
import { refresh, useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { inPath } from '../../../domain/in-path.ts'
import { NoteField, type Noting } from './note-field.tsx'
import { lastMonth, meta } from './last-month.ts'
import { isNoted, type NotedMember, type PanelMember } from './panel-member.ts'
import { Now } from './now.tsx'
import { None, Part } from './part.tsx'
import { useMenu } from '../../../api/use-menu.ts'
import { MovedAmount, RowStatus } from '../../../domain/transfer-cells.tsx'
import { kindWord, movementText } from '../../../domain/transfer-words.ts'
import { AccountLink } from '../../../domain/account-link.tsx'

/** How many entries of each kind are shown; the linked pages show all. */
const SHOWN = 10
const SHOWN_NOTES = 5
type Props = { room: PanelMember }
/** The account as its page knows it. The panel of a conversation asks for it. */
type Known = { account?: Answer<'account/view'> | undefined }

/** MEMB-03: facts about a member, beside its conversation and on its page. They are loaded again when its points move. */
export const PanelFacts = ({ room, account, ...noting }: Props & Known & Noting) => {
  const cache = useQueryClient()
  const { code, member_id } = room
  useEffect(() => {
    // member/view and member/flowLimit are refreshed for the whole chat (use-office-chat.ts).
    const { soon, stop } = throttle(() => void refresh(cache, ['transaction/list', 'redEnvelope/record']))
    const stops = [
      stop,
      onEvent('room', (change) => {
        if (change.code === code && movesPoints(change)) soon()
      }),
      onEvent('member', ({ account_id }) => {
        if (account_id === member_id) soon()
      }),
      onConnected(soon),
    ]
    return () => {
      for (const end of stops) end()
    }
  }, [cache, code, member_id])
  const own = useCall('user/view', {})
  const { has } = useMenu()
  // RIGHT-01: without the transaction log the server refuses both lists.
  const hasLog = has('/transaction/list')
  // The requests of another group's members are that group's.
  const hasCash = room.room_id !== undefined && has('/cash')
  return (
    <div className="panel-facts">
      <Seen room={room} account={account} />
      {(hasCash || hasLog) && <Now room={room} hasCash={hasCash} hasLog={hasLog} />}
      <Wallets room={room} />
      {own.data?.cs_flow_limit_button_visible === 1 && <FlowLimits room={room} />}
      {hasLog && <Transfers room={room} hasCash={hasCash} />}
      {isNoted(room) && <Notes room={room} {...noting} />}
    </div>
  )
}

const Wallets = ({ room }: Props) => {
  const { t } = useWords()
  const { has } = useMenu()
  const member = useCall('member/view', { member_id: room.member_id }, { meta })
  const { data } = member
  return (
    <Part
      title={t('panel.wallets')}
      query={member}
      link={
        has('/report/statement') && (
          <Link to="/report/statement" search={{ id: room.member_id }}>
            {t('action.statement')}
          </Link>
        )
      }
    >
      {data && (
        <dl className="panel-lines panel-wallets">
          <Fact label={t(data.is_multiple_wallet === 1 ? 'wallet.main' : 'transfer.their_balance')}>
            <Amount value={data.balance} />
          </Fact>
          {data.is_multiple_wallet === 1 && (
            <Fact label={t('wallet.game')}>
              <Amount value={data.game_wallet} />
            </Fact>
          )}
          {data.turnover_due !== null && (
            <Fact label={t('flow.title')}>
              {pointsOf(data.turnover_due) === 0n ? (
                t('panel.turnover_met')
              ) : (
                <Amount exact value={data.turnover_due} />
              )}
            </Fact>
          )}
          <Fact label={t('panel.pays_from', { name: data.payer.name })}>
            <Amount value={data.payer.available} unlimited={data.payer.unlimited} />
          </Fact>
        </dl>
      )}
    </Part>
  )
}

const played: readonly number[] = [TransferKind.bet, TransferKind.win, TransferKind.betVoid]
const isPlayed = ({ type }: { type: number }) => played.includes(type)

/** Whether bets and wins are among the last transactions. They are many, and hide what people have done. */
const KEPT = 'panel_bets'

/** The last transactions that are over. What is open is said above. */
const Transfers = ({ room, hasCash }: Props & { hasCash: boolean }) => {
  const { t } = useWords()
  const { partner_username: username, member_id } = room
  const [withBets, setWithBets] = useState(() => getStored(KEPT) === '1')
  // More than are shown: bets and wins may be among them.
  const transfers = useCall('transaction/list', { member_id, ...lastMonth(), page: 1, per_page: 200 }, { meta })
  const rows = transfers.data?.data
    .filter((row) => withBets || !isPlayed(row))
    .filter((row) => row.status !== TransferStatus.pending || (row.request !== undefined && !hasCash))
    .slice(0, SHOWN)
  // The log is searched by the whole username.
  const link = !isMasked(username) && (
    <Link to="/transaction/list/{-$username}" params={{ username }}>
      {t('panel.all')}
    </Link>
  )
  const show = (on: boolean) => {
    setStored(KEPT, on ? '1' : '0')
    setWithBets(on)
  }
  return (
    <Part title={t('panel.transfers')} query={transfers} link={link}>
      <label className="panel-switch">
        <Switch checked={withBets} onChange={show} />
        {t('panel.with_bets')}
      </label>
      {rows?.length === 0 && <None text={t('panel.no_transfers')} />}
      <ul>
        {rows?.map((row) => (
          <li key={row.transaction_id}>
            <span>{movementText(row, t)}</span>
            <MovedAmount amount={row.amount} status={row.status} view={viewOfKind(row.type, row.corrects_type)} />
            <span>
              <span className="points">{showMoment(row.created_at).slice(5, 16)}</span>
              {row.user_username && (
                <>
                  {' · '}
                  <AccountLink who={{ id: row.user_id, username: row.user_username }}>
                    <bdi>{row.user_username}</bdi>
                  </AccountLink>
                </>
              )}
            </span>
            {(row.status !== TransferStatus.success || row.corrected) && <RowStatus row={row} />}
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Bets count for the oldest requirement first, so the open ones are the newest. Nothing while none is open. */
const FlowLimits = ({ room }: Props) => {
  const { t } = useWords()
  const limits = useCall('member/flowLimit', { member_id: room.member_id, page: 1, per_page: 50 }, { meta })
  const open = limits.data?.data.filter(({ status }) => status === FlowStatus.open).slice(0, SHOWN)
  if (!limits.error && !open?.length) return null
  return (
    <Part title={t('panel.open_turnover')} query={limits}>
      <ul>
        {open?.map((row) => (
          <li key={row.transaction_id}>
            <span>{t(kindWord(row.type))}</span>
            <span>
              <Amount value={row.valid_flowAmount} /> / <Amount value={row.limit_flowAmount} />
            </span>
            <span className="points">{row.operation_time}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** A field for a new note, and the newest ones. */
const Notes = ({ room, ...noting }: { room: NotedMember } & Noting) => {
  const { t } = useWords()
  const notes = useCall('note/list', { room_id: room.room_id, page: 1, per_page: SHOWN_NOTES }, { meta })
  const link = (
    <Link
      to="/chat/noteTitle/$room_id/$member_id"
      params={{ room_id: String(room.room_id), member_id: String(room.member_id) }}
    >
      {t('panel.all')}
    </Link>
  )
  return (
    <Part title={t('search.notes')} query={notes} link={link}>
      <NoteField room={room} {...noting} />
      {notes.data?.data.length === 0 && <None text={t('panel.no_notes')} />}
      <ul className="panel-notes">
        {notes.data?.data.map(({ note_id, member_id, title, create_user, created_at }) => (
          <li key={note_id}>
            <Link
              to="/chat/noteContent/$note_id/$member_id/$title"
              params={{ note_id: String(note_id), member_id: String(member_id), title: inPath(title) }}
            >
              <bdi>{title}</bdi>
            </Link>
            <span className="panel-note-by">
              <AccountLink who={{ username: create_user }}>
                <bdi>{create_user}</bdi>
              </AccountLink>
              , <time className="points">{showMoment(created_at).slice(0, 10)}</time>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Shows only known facts: nothing for a member who was never online. */
const Seen = ({ room, account }: Props & Known) => {
  const { t } = useWords()
  const asked = useCall('account/view', { id: room.member_id }, { enabled: account === undefined, meta })
  const data = account ?? asked.data
  if (!data) return null
  return (
    <dl className="panel-lines panel-seen">
      <div>
        <dt>{t('panel.since')}</dt>
        <dd className="points">{showMoment(data.created_at).slice(0, 10)}</dd>
      </div>
      {data.last_seen_at && (
        <div>
          <dt>{t('panel.last_seen')}</dt>
          <dd className="points">{showMoment(data.last_seen_at)}</dd>
        </div>
      )}
    </dl>
  )
}
