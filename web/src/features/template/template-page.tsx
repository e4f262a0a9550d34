import type { Answer } from '@tallyroom/contract'
import { useMemo } from 'react'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { Button } from '../../ui/control/button.tsx'
import type { FilterField } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import type { Column } from '../../ui/search-table/column.ts'
import { deleteAction, editAction } from '../../ui/search-table/common-actions.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useRowDialogs } from '../../ui/search-table/use-row-dialogs.ts'
import { useCall } from '../../api/use-call.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { shifted } from './fill.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'
import './template.css'

type Row = Answer<'message-template/list'>['data'][number]

const SIZES = [25, 50, 0] as const
const KEYS = ['text'] as const

/** TMPL-01: the group's quick replies. */
export const TemplatePage = () => {
  const { t } = useWords()
  const list = useCall('message-template/list', {}, { staleTime: 10_000 })
  const filters = useFilters(KEYS)
  const typed = filters.typed.text?.trim() ?? ''
  const columns = useColumns()
  const rows = list.data?.data
  const { kind, row, open, close } = useRowDialogs<'add' | 'edit' | 'delete', Row>(rows)
  const matches = useMemo(() => {
    if (!typed || !rows) return undefined
    const found = new Set(fuzzyFind(rows, typed))
    return (row: Row) => found.has(row)
  }, [rows, typed])
  const actions = useMemo(() => [editAction<Row>(t, open), deleteAction<Row>(t, open)], [t, open])
  return (
    <>
      <SearchTable
        label={t('menu.quick_replies')}
        rows={rows}
        rowKey="id"
        columns={columns}
        actions={actions}
        matches={matches}
        sizes={SIZES}
        error={list.error}
        onRetry={() => void list.refetch()}
        search={<FilterBar fields={useTemplateFields()} filters={filters} onAgain={() => void list.refetch()} />}
        tools={
          <Button main icon="plus" onClick={() => open('add')}>
            {t('template.add')}
          </Button>
        }
        whenEmpty={<p>{typed ? t('template.none_found', { text: typed }) : t('template.empty_next')}</p>}
      />
      {kind === 'add' && <EditDialog onClose={close} />}
      {row && kind === 'edit' && <EditDialog row={row} onClose={close} />}
      {row && kind === 'delete' && <DeleteDialog row={row} onClose={close} />}
    </>
  )
}

const useTemplateFields = (): readonly FilterField[] => {
  const { t } = useWords()
  return useMemo(
    (): FilterField[] => [{ kind: 'text', key: 'text', label: t('template.search'), inline: true, wide: true }],
    [t],
  )
}

const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'title',
        title: t('template.title'),
        width: 140,
        small: 'head',
        cell: ({ title }) => <bdi className="long">{title}</bdi>,
        sort: ({ title }) => title.toLowerCase(),
      },
      {
        key: 'content',
        title: t('template.content'),
        width: 320,
        twoLines: true,
        small: 'below',
        cell: ({ content, image }) => (
          <span className="t-content">
            {image && <img src={mediaSrc(image)} alt={t('template.image')} width={30} height={30} loading="lazy" />}
            <bdi className="long">{content}</bdi>
          </span>
        ),
      },
      {
        key: 'memo',
        title: t('template.memo'),
        width: 100,
        cell: ({ memo }) => <bdi className="long">{memo}</bdi>,
        sort: ({ memo }) => memo.toLowerCase(),
      },
      {
        key: 'type',
        title: t('template.type'),
        width: 120,
        small: 'side',
        cell: ({ type }) => <span className="chip">{t(`template.type_${type}`)}</span>,
        sort: ({ type }) => type,
      },
      {
        key: 'username',
        title: t('template.owner'),
        width: 90,
        cell: ({ username }) => (
          <AccountLink who={{ username }}>
            <bdi className="long">{username}</bdi>
          </AccountLink>
        ),
        sort: ({ username }) => username.toLowerCase(),
      },
      {
        key: 'created_at',
        title: t('template.created'),
        width: 96,
        texts: ['2026-12-28'],
        twoLines: true,
        cell: (row) => <span className="points">{shifted(row.created_at)}</span>,
        sort: (row) => row.created_at,
      },
      {
        key: 'updated_at',
        title: t('template.updated'),
        width: 96,
        texts: ['2026-12-28'],
        twoLines: true,
        cell: (row) => <span className="points">{shifted(row.updated_at)}</span>,
        sort: (row) => row.updated_at,
      },
    ],
    [t],
  )
}
