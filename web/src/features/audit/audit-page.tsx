import type { Answer, Input as InputOf } from '@tallyroom/contract'
import { type AuditKind, auditKinds } from '@tallyroom/contract/audit-kinds'
import { type ReactNode, useMemo, useState } from 'react'
import { Fact } from '../../ui/fact.tsx'
import { NoticeDialog } from '../../ui/overlay/notice-dialog.tsx'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListViews } from '../../ui/filter-bar/list-views.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import { lastRange, type Range, rangeOfPeriod, rangeToSend } from '../../ui/form/range.ts'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { SaveFile } from '../../ui/save-file.tsx'
import { ServerPages } from '../../ui/search-table/server-pages.tsx'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { call } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { factLines } from '../../domain/fact-lines.ts'
import { auditKeys } from './search.ts'

type Row = Answer<'audit/list'>['data'][number]

const wordOf = (kind: AuditKind) => `audit.kind_${kind}` as const

const PER_PAGE = 200

/** Without an end chosen by the user none is sent, so that actions during the visit are found too. */
const queryOf = ({ actor = '', target = '', kind, time = '' }: FilterValues, first: Range): InputOf<'audit/list'> => {
  const chosen = rangeOfPeriod(time)
  const known = auditKinds.find((one) => one === kind)
  return {
    actor,
    target,
    ...(known ? { kind: known } : {}),
    ...(chosen ? rangeToSend(chosen) : { start_time: rangeToSend(first).start_time }),
  }
}

/** Audit log, newest first: for admins, of their own downline. */
export const AuditPage = () => {
  const filters = useFilters(auditKeys)
  const { values } = filters
  const [first] = useState(lastRange)
  const fields = useAuditFields()
  const filter = queryOf(values, first)
  return (
    <AuditList
      // Another search starts on its first page.
      key={JSON.stringify(values)}
      filter={filter}
      tools={(rows) => <SaveFile disabled={!rows} load={() => call('audit/export', filter)} />}
      search={({ again, busy }) => (
        <>
          <ListViews list="audit" filters={filters} />
          <FilterBar fields={fields} filters={filters} onAgain={again} busy={busy} />
        </>
      )}
    />
  )
}

type ListProps = {
  filter: InputOf<'audit/list'>
  tools?: (rows: number) => ReactNode
  search?: (list: { again: () => void; busy: boolean }) => ReactNode
}

/** The entries that match, in pages of the server, each with its details. */
export const AuditList = ({ filter, tools, search }: ListProps) => {
  const { t } = useWords()
  const small = useMedia('(max-width: 767px)')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Row>()
  const list = useCall('audit/list', { ...filter, page, per_page: PER_PAGE }, { keepPrevious: true })
  const actions = useMemo(
    (): RowAction<Row>[] =>
      // On a small screen the row's sheet shows all details already.
      small
        ? []
        : [
            {
              key: 'facts',
              label: t('audit.facts'),
              icon: 'list',
              hidden: ({ facts }) => facts.length === 0,
              onSelect: setOpened,
            },
          ],
    [t, small],
  )
  return (
    <>
      <SearchTable
        label={t('menu.audit')}
        rows={list.data?.data}
        rowKey="id"
        columns={useColumns()}
        actions={actions}
        error={list.error}
        onRetry={() => void list.refetch()}
        tools={tools?.(list.data?.data.length ?? 0)}
        search={search?.({ again: () => void list.refetch(), busy: list.isFetching })}
        whenEmpty={<p>{t('audit.widen')}</p>}
        footer={
          <ServerPages
            label={t('audit.pages')}
            page={page}
            perPage={PER_PAGE}
            total={list.data?.total ?? 0}
            busy={list.isFetching}
            onPage={setPage}
          />
        }
      />
      {opened && <FactsDialog row={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const useAuditFields = (): readonly FilterField[] => {
  const { t } = useWords()
  return useMemo(
    (): FilterField[] => [
      { kind: 'text', key: 'actor', label: t('audit.actor'), inline: true },
      { kind: 'text', key: 'target', label: t('audit.target'), inline: true },
      {
        kind: 'period',
        key: 'time',
        label: t('range.presets'),
        fallback: 'week',
        minutes: true,
        from: t('audit.from'),
        to: t('audit.to'),
      },
      {
        kind: 'choice',
        key: 'kind',
        label: t('audit.kind'),
        options: auditKinds.map((kind) => ({ value: kind, label: t(wordOf(kind)) })),
      },
    ],
    [t],
  )
}

/** A dash for a failed sign-in, the command line, and accounts above the viewer. */
const Name = ({ id, username }: { id: number | null; username: string }) => {
  const { t } = useWords()
  return username ? (
    <AccountLink who={{ id, username }}>
      <bdi>{username}</bdi>
    </AccountLink>
  ) : (
    <span aria-label={t('audit.nobody')}>–</span>
  )
}

const Facts = ({ row }: { row: Row }) => {
  const { t } = useWords()
  const text = factLines(t, row.facts)
    .map(({ label, value }) => `${label}: ${value}`)
    .join(' · ')
  return text ? (
    <span className="long" title={text}>
      {text}
    </span>
  ) : (
    <span>–</span>
  )
}

const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'at',
        title: t('history.created_at'),
        width: 172,
        small: 'below',
        cell: (row) => <span className="points">{row.at}</span>,
      },
      { key: 'kind', title: t('audit.kind'), width: 190, small: 'head', cell: (row) => t(wordOf(row.kind)) },
      {
        key: 'actor',
        title: t('audit.actor'),
        width: 120,
        cell: (row) => <Name id={row.actor_id} username={row.actor_username} />,
      },
      {
        key: 'target',
        title: t('audit.target'),
        width: 120,
        small: 'side',
        cell: (row) => <Name id={row.target_id} username={row.target_username} />,
      },
      { key: 'facts', title: t('audit.facts'), width: 240, cell: (row) => <Facts row={row} /> },
      {
        key: 'address',
        title: t('audit.address'),
        width: 130,
        cell: (row) => <span className="long points">{row.address || '–'}</span>,
      },
    ],
    [t],
  )
}

/** All details of a row. */
const FactsDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const lines = [
    { label: t('history.created_at'), value: row.at },
    { label: t('audit.actor'), value: row.actor_username || '–' },
    { label: t('audit.target'), value: row.target_username || '–' },
    ...factLines(t, row.facts),
    { label: t('audit.address'), value: row.address || '–' },
  ]
  return (
    <NoticeDialog title={t(wordOf(row.kind))} onClose={onClose}>
      <dl className="lines">
        {lines.map(({ label, value }) => (
          <Fact key={label} label={label}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
    </NoticeDialog>
  )
}
