import type { Answer, Input as InputOf } from '@tallyroom/contract'
import type { AuditKind } from '@tallyroom/contract/calls/audit'
import { Input, Select } from 'antd'
import { clearable } from '../../ui/form/clearable.tsx'
import { useMemo, useState } from 'react'
import { NoticeDialog } from '../../ui/overlay/notice-dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { RangeForm } from '../../ui/form/range-form.tsx'
import { lastRange, type Range, rangeToSend } from '../../ui/form/range.ts'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { ServerPages } from '../../ui/search-table/server-pages.tsx'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import './audit.css'
import { describeFacts } from './facts.ts'

type Row = Answer<'audit/list'>['data'][number]
type Names = { actor: string; target: string; kind: AuditKind | '' }
type Typed = Names & Range

/** All kinds, in the order of the select. Written out here, because importing the contract's list would bundle Zod. */
const kinds = Object.keys({
  signed_in: true,
  sign_in_failed: true,
  signed_out: true,
  sign_in_link_made: true,
  session_ended: true,
  password_changed: true,
  payment_password_changed: true,
  second_factor_changed: true,
  account_added: true,
  account_edited: true,
  account_frozen: true,
  account_unfrozen: true,
  abilities_changed: true,
  withdraw_confirm_changed: true,
  settings_changed: true,
  api_key_changed: true,
  exported: true,
  remark_edited: true,
  points_corrected: true,
  flow_limit_overridden: true,
  cash_paid: true,
  cash_refused: true,
  masked_shown: true,
  original_read: true,
  bank_account_changed: true,
  bank_account_deleted: true,
  note_content_deleted: true,
  template_deleted: true,
} satisfies Record<AuditKind, true>) as AuditKind[]
const wordOf = (kind: AuditKind) => `audit.kind_${kind}` as const

const PER_PAGE = 200
/** Without an end chosen by the user none is sent, so that actions during the visit are found too. */
const queryOf = ({ actor, target, kind, ...range }: Typed, first: Range): InputOf<'audit/list'> => ({
  actor: actor.trim(),
  target: target.trim(),
  ...(kind ? { kind } : {}),
  start_time: rangeToSend(range).start_time,
  ...(range.end === first.end ? {} : { end_time: rangeToSend(range).end_time }),
})

/** Audit log, newest first: for admins, of their own downline. */
export const AuditPage = () => {
  const { t } = useWords()
  const small = useMedia('(max-width: 767px)')
  const [first] = useState(lastRange)
  const [typed, setTyped] = useState<Names>({ actor: '', target: '', kind: '' })
  const [query, setQuery] = useState(() => queryOf({ ...typed, ...first }, first))
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Row>()
  const list = useCall('audit/list', { ...query, page, per_page: PER_PAGE }, { keepPrevious: true })
  const put = (change: Partial<Names>) => setTyped((before) => ({ ...before, ...change }))
  const search = (range: Range) => {
    const next = queryOf({ ...typed, ...range }, first)
    // The same search again reloads: the user wants current data.
    if (JSON.stringify(next) === JSON.stringify(query)) void list.refetch()
    else setQuery(next)
    setPage(1)
  }
  const details: RowAction<Row>[] = [
    {
      key: 'facts',
      label: t('audit.facts'),
      icon: 'list',
      hidden: ({ facts }) => facts.length === 0,
      onSelect: setOpened,
    },
  ]
  return (
    <>
      <SearchTable
        label={t('menu.audit')}
        rows={list.data?.data}
        rowKey={(row) => row.id}
        columns={useColumns()}
        // On a small screen the row's sheet shows all details already.
        actions={small ? [] : details}
        error={list.error}
        onRetry={() => void list.refetch()}
        search={
          <RangeForm
            className="audit-search"
            from={first}
            labels={{ start: t('audit.from'), end: t('audit.to') }}
            onSearch={search}
            busy={list.isFetching}
          >
            <NameField label={t('audit.actor')} value={typed.actor} onChange={(actor) => put({ actor })} />
            <NameField label={t('audit.target')} value={typed.target} onChange={(target) => put({ target })} />
            <KindField value={typed.kind} onChange={(kind) => put({ kind })} />
          </RangeForm>
        }
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

type NameProps = { label: string; value: string; onChange: (value: string) => void }

const NameField = ({ label, value, onChange }: NameProps) => (
  <Field label={label}>
    {(control) => (
      <Input
        {...control}
        allowClear={clearable}
        maxLength={64}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

const KindField = ({ value, onChange }: { value: AuditKind | ''; onChange: (kind: AuditKind | '') => void }) => {
  const { t } = useWords()
  return (
    <Field label={t('audit.kind')}>
      {({ id }) => (
        <Select<AuditKind | ''>
          {...(id ? { id } : {})}
          value={value}
          onChange={onChange}
          popupMatchSelectWidth={false}
          options={[
            { value: '', label: t('audit.all_kinds') },
            ...kinds.map((kind) => ({ value: kind, label: t(wordOf(kind)) })),
          ]}
        />
      )}
    </Field>
  )
}

/** A dash for a failed sign-in, the command line, and accounts above the viewer. */
const Name = ({ username }: { username: string }) => {
  const { t } = useWords()
  return username ? <bdi>{username}</bdi> : <span aria-label={t('audit.nobody')}>–</span>
}

const Facts = ({ row }: { row: Row }) => {
  const { t } = useWords()
  const text = describeFacts(t, row.facts)
    .map(({ label, value }) => `${label}: ${value}`)
    .join(' · ')
  return text ? (
    <span className="long" title={text}>
      {text}
    </span>
  ) : (
    '–'
  )
}

const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'at',
        title: t('history.created_at'),
        width: 165,
        small: 'below',
        cell: (row) => <span className="points">{row.at}</span>,
      },
      { key: 'kind', title: t('audit.kind'), width: 190, small: 'head', cell: (row) => t(wordOf(row.kind)) },
      {
        key: 'actor',
        title: t('audit.actor'),
        width: 120,
        cell: (row) => <Name username={row.actor_username} />,
      },
      {
        key: 'target',
        title: t('audit.target'),
        width: 120,
        small: 'side',
        cell: (row) => <Name username={row.target_username} />,
      },
      { key: 'facts', title: t('audit.facts'), width: 330, cell: (row) => <Facts row={row} /> },
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
    ...describeFacts(t, row.facts),
    { label: t('audit.address'), value: row.address || '–' },
  ]
  return (
    <NoticeDialog title={t(wordOf(row.kind))} onClose={onClose}>
      <dl className="lines">
        {lines.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </NoticeDialog>
  )
}
