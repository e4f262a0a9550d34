import type { Answer } from '@tallyroom/contract'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { deleteAction, editAction } from '../../ui/search-table/common-actions.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useRowDialogs } from '../../ui/search-table/use-row-dialogs.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { ContentDialog, DeleteContentDialog } from './content-dialogs.tsx'
import { mentionedText } from '../../chat/view/mention/mentioned-text.tsx'
import { AccountLink } from '../../domain/account-link.tsx'
import './note.css'

type Row = Answer<'note_content/list'>['data'][number]

/** NOTE-03: the entries of a note. The title comes from the server; the one in the address may be wrong. */
export const NoteContentPage = () => {
  const { t } = useWords()
  const { note_id = '' } = useParams({ strict: false })
  const contents = useCall('note_content/list', { note_id, page: 1, per_page: 1000 })
  const { note, data } = contents.data ?? {}
  const { kind, row, open, close } = useRowDialogs<'add' | 'edit' | 'delete', Row>(data)
  const columns = useColumns()
  const actions = useMemo(() => [editAction<Row>(t, open), deleteAction<Row>(t, open)], [t, open])
  return (
    <div className="note-page" aria-busy={contents.isPending}>
      <header className="chat-bar">
        {note ? (
          <Link
            to="/chat/noteTitle/$room_id/$member_id"
            params={{ room_id: String(note.room_id), member_id: String(note.member_id) }}
            className="c-round"
            aria-label={t('action.back')}
          >
            <Icon name="chevronLeft" size={22} />
          </Link>
        ) : (
          <Link to="/chat/messaging" className="c-round" aria-label={t('action.back')}>
            <Icon name="chevronLeft" size={22} />
          </Link>
        )}
        <h1 className="note-title">
          <bdi>{note?.title ?? t('note.content')}</bdi>
        </h1>
        <Button main icon="plus" disabled={!note} onClick={() => open('add')}>
          {t('note.add_content')}
        </Button>
      </header>
      <div className="note-body">
        <SearchTable
          label={t('note.content')}
          rows={data}
          rowKey="id"
          columns={columns}
          actions={actions}
          error={contents.error}
          onRetry={() => void contents.refetch()}
          whenEmpty={<p>{t('note.no_content')}</p>}
        />
      </div>
      {note && kind === 'add' && <ContentDialog noteId={note.note_id} onClose={close} />}
      {row && kind === 'edit' && <ContentDialog noteId={row.note_id} row={row} onClose={close} />}
      {row && kind === 'delete' && <DeleteContentDialog row={row} onClose={close} />}
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
        small: 'head',
        cell: (row) => <span className="points">{showMoment(row.created_at)}</span>,
        sort: (row) => row.created_at,
      },
      {
        key: 'content',
        title: t('note.content'),
        width: 420,
        small: 'below',
        wraps: true,
        cell: ({ content, mentions }) => (
          <span dir="auto" className="note-text">
            {mentionedText(content, mentions)}
          </span>
        ),
        sort: ({ content }) => content.toLowerCase(),
      },
      {
        key: 'create_user',
        title: t('note.create_user'),
        width: 140,
        small: 'side',
        cell: (row) => (
          <AccountLink who={{ username: row.create_user }}>
            <bdi className="long">{row.create_user}</bdi>
          </AccountLink>
        ),
        sort: (row) => row.create_user.toLowerCase(),
      },
    ],
    [t],
  )
}
