import type { Answer } from '@tallyroom/contract'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { editAction } from '../../ui/search-table/common-actions.ts'
import { nameOf } from '../../ui/person.tsx'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useRowDialogs } from '../../ui/search-table/use-row-dialogs.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { NoteDialog } from './note-dialog.tsx'
import { AccountLink } from '../../domain/account-link.tsx'
import { inPath } from '../../domain/in-path.ts'
import './note.css'

type Row = Answer<'note/list'>['data'][number]

/** The notes of a conversation as a table, with their dialogs, and what adds one once they are loaded. */
export const useNotes = (room_id: string) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const notes = useCall('note/list', { room_id, page: 1, per_page: 1000 })
  const { friend, data } = notes.data ?? {}
  const { kind, row, open, close } = useRowDialogs<'add' | 'edit', Row>(data)
  const columns = useColumns()
  const actions = useMemo(
    (): RowAction<Row>[] => [
      {
        key: 'description',
        label: t('note.description'),
        icon: 'list',
        onSelect: (note) =>
          void navigate({
            to: '/chat/noteContent/$note_id/$member_id/$title',
            params: { note_id: String(note.note_id), member_id: String(note.member_id), title: inPath(note.title) },
          }),
      },
      editAction(t, open),
    ],
    [t, navigate, open],
  )
  const table = (
    <>
      <SearchTable
        label={t('note.notebook')}
        rows={data}
        rowKey="id"
        columns={columns}
        actions={actions}
        error={notes.error}
        onRetry={() => void notes.refetch()}
        whenEmpty={<p>{t('note.empty_next')}</p>}
      />
      {friend && kind === 'add' && <NoteDialog roomId={room_id} friend={friend.username} onClose={close} />}
      {friend && row && <NoteDialog roomId={room_id} friend={friend.username} note={row} onClose={close} />}
    </>
  )
  return { friend, table, isPending: notes.isPending, add: friend && (() => open('add')) }
}

/** NOTE-01: the group's notes about a room's partner. */
export const NoteTitlePage = () => {
  const { t } = useWords()
  const { room_id = '', member_id = '' } = useParams({ strict: false })
  const { friend, table, isPending, add } = useNotes(room_id)
  return (
    <div className="note-page" aria-busy={isPending}>
      <header className="chat-bar">
        <Link
          to="/chat/messaging/$room_id/$member_id"
          params={{ room_id, member_id: String(friend?.member_id ?? member_id) }}
          className="button"
        >
          <Icon name="chat" />
          {t('menu.chat')}
        </Link>
        <h1 className="note-title">
          {t('note.notebook')}
          {friend && (
            <AccountLink who={{ ...friend, id: friend.member_id }}>
              <bdi className="room-username">{nameOf(friend)}</bdi>
            </AccountLink>
          )}
        </h1>
        <Button main icon="plus" disabled={!add} onClick={add}>
          {t('note.add')}
        </Button>
      </header>
      <div className="note-body">{table}</div>
    </div>
  )
}

const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'created_at',
        title: t('note.date_time'),
        width: 165,
        small: 'below',
        cell: (note) => <span className="points">{showMoment(note.created_at)}</span>,
        sort: (note) => note.created_at,
      },
      {
        key: 'title',
        title: t('note.title'),
        width: 300,
        small: 'head',
        cell: ({ title }) => <bdi className="long">{title}</bdi>,
        sort: ({ title }) => title.toLowerCase(),
      },
      {
        key: 'create_user',
        title: t('note.create_user'),
        width: 120,
        cell: (note) => (
          <AccountLink who={{ username: note.create_user }}>
            <bdi className="long">{note.create_user}</bdi>
          </AccountLink>
        ),
        sort: (note) => note.create_user.toLowerCase(),
      },
      {
        key: 'update_user',
        title: t('note.update_user'),
        width: 120,
        cell: (note) => <bdi className="long">{note.update_user || '–'}</bdi>,
        sort: (note) => note.update_user.toLowerCase(),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 120,
        small: 'side',
        cell: ({ status }) => (
          <span className={`chip ${status ? 'chip-in' : 'chip-waiting'}`}>
            <Icon name={status ? 'check' : 'clock'} size={13} />
            {t(status ? 'note.finished' : 'note.unfinished')}
          </span>
        ),
        sort: ({ status }) => status,
      },
    ],
    [t],
  )
}
