import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Input, Select } from 'antd'
import { clearable } from '../../ui/form/clearable.tsx'
import { useId, useState } from 'react'
import { Field } from '../../ui/form/field.tsx'
import { RangeForm } from '../../ui/form/range-form.tsx'
import { HOURS_24, lastRange, type Range, rangeToSend, openEnd } from '../../ui/form/range.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { EnvelopeList } from './envelope-list.tsx'
import { TransferList } from './transfer-list.tsx'

type HistoryKind = 1 | 2
/** What a link sets: the account in the path, and from SR02 an operator and its days. */
type HistoryStart = { username: string; kind: HistoryKind; operator: number | undefined; range: Range | undefined }

const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)

/** HIST-01: searches at once, for the last 24 hours and the account in the address. */
export const HistoryPage = () => {
  const { username = '' } = useParams({ strict: false })
  const { type, operator, start, end } = useSearch({ strict: false }) as Record<string, unknown>
  const id = Number(operator)
  const from: HistoryStart = {
    username,
    kind: Number(type) === 2 ? 2 : 1,
    operator: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    range: isDay(start) && isDay(end) ? { start: `${start} 00:00`, end: `${end} 23:59` } : undefined,
  }
  return <History key={JSON.stringify(from)} {...from} />
}

const History = ({ username, kind, operator, range }: HistoryStart) => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { staleTime: 5 * 60_000, meta: { optional: true } })
  const [typed, setTyped] = useState({ username, kind })
  const [first] = useState(() => range ?? lastRange(HOURS_24))
  const [query, setQuery] = useState({ ...typed, range: first, at: 0 })
  const List = query.kind === 1 ? TransferList : EnvelopeList
  return (
    <List
      // A new search starts with its newest rows.
      key={JSON.stringify(query)}
      filter={{
        username: query.username.trim(),
        ...rangeToSend(query.range),
        // A report's day ends with its last second; an end that the user has not chosen stays open.
        ...(first.end === query.range.end ? { end_time: range ? `${range.end}:59` : openEnd(first) } : {}),
        ...(operator ? { operator_id: operator } : {}),
      }}
      // Accounts that may see the report may export the list.
      mayExport={menu.data?.some(({ name }) => name === 'sr02') ?? false}
      search={
        <>
          <RangeForm
            defaultRange={HOURS_24}
            from={query.range}
            onSearch={(next) => setQuery({ ...typed, range: next, at: Date.now() })}
          >
            <Field label={t('account.username')}>
              {(control) => (
                <Input
                  {...control}
                  allowClear={clearable}
                  maxLength={64}
                  value={typed.username}
                  onChange={(event) => setTyped({ ...typed, username: event.target.value })}
                />
              )}
            </Field>
            <KindField value={typed.kind} onChange={(next) => setTyped({ ...typed, kind: next })} />
          </RangeForm>
          {operator && <CountedFor id={operator} />}
        </>
      }
    />
  )
}

/** Notes that the list is limited to an operator of SR02, with a link to the full list. */
const CountedFor = ({ id }: { id: number }) => {
  const { t } = useWords()
  const path = useCall('user/path', { id }, { meta: { optional: true } })
  const name = path.data?.path.at(-1)?.username
  return (
    <p className="history-counted" role="status">
      {name && t('history.counted_for', { name })}{' '}
      <Link to="/transaction/list/{-$username}" params={{}}>
        {t('history.show_all')}
      </Link>
    </p>
  )
}

const KindField = ({ value, onChange }: { value: HistoryKind; onChange: (kind: HistoryKind) => void }) => {
  const { t } = useWords()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('history.type')}</label>
      <Select
        id={id}
        value={value}
        onChange={onChange}
        options={[
          { value: 1, label: t('history.transactions') },
          { value: 2, label: t('history.envelopes') },
        ]}
      />
    </div>
  )
}
