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
/** Where a link leads: the account in the path; from SR02 an operator and its days. */
type HistoryFilter = { username: string; kind: HistoryKind; operator: number | undefined; range: Range | undefined }

const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)

/** HIST-01: asks at once, for the last 24 hours and the account in the address. */
export const HistoryPage = () => {
  const { username = '' } = useParams({ strict: false })
  const { type, operator, start, end } = useSearch({ strict: false }) as Record<string, unknown>
  const id = Number(operator)
  const place: HistoryFilter = {
    username,
    kind: Number(type) === 2 ? 2 : 1,
    operator: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    range: isDay(start) && isDay(end) ? { start: `${start} 00:00`, end: `${end} 23:59` } : undefined,
  }
  return <History key={JSON.stringify(place)} {...place} />
}

const History = ({ username, kind, operator, range }: HistoryFilter) => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { fresh: 5 * 60_000, meta: { optional: true } })
  const [typed, setTyped] = useState({ username, kind })
  const [first] = useState(() => range ?? lastRange(HOURS_24))
  const [asked, setAsked] = useState({ ...typed, range: first, asked: 0 })
  const List = asked.kind === 1 ? TransferList : EnvelopeList
  return (
    <List
      // A new search begins at its newest rows.
      key={JSON.stringify(asked)}
      find={{
        username: asked.username.trim(),
        ...rangeToSend(asked.range),
        // The report's day ends with its last second, and an end that nobody chose has not come yet.
        ...(first.end === asked.range.end ? { end_time: range ? `${range.end}:59` : openEnd(first) } : {}),
        ...(operator ? { operator_id: operator } : {}),
      }}
      // Whoever has the report may take the list along.
      mayExport={menu.data?.some(({ name }) => name === 'sr02') ?? false}
      search={
        <>
          <RangeForm
            defaultRange={HOURS_24}
            from={asked.range}
            onSearch={(next) => setAsked({ ...typed, range: next, asked: Date.now() })}
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

/** Says that this is a part of SR02, and leads to the whole. */
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
