import { useParams, useSearch } from '@tanstack/react-router'
import { Button, Input, Select } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { showMoment } from '../../time.ts'
import { DateField } from '../../ui/date-fields.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'
import { type Asked, EnvelopeList, TransferList } from './history-lists.tsx'

const HOURS_24 = 24 * 3_600_000
const MINUTE = 60_000
type Kind = 1 | 2

/** The last 24 hours, up to the end of the running minute: what has just happened belongs to it. */
const lastDay = () => {
  const end = Math.ceil(Date.now() / MINUTE) * MINUTE
  return { start: showMoment(end - HOURS_24).slice(0, 16), end: showMoment(end).slice(0, 16) }
}

/** HIST-01: asks at once, for the last 24 hours and the account in the address. */
export const HistoryPage = () => {
  const { username = '' } = useParams({ strict: false })
  const { type } = useSearch({ strict: false }) as { type?: unknown }
  return <History key={username} username={username} kind={Number(type) === 2 ? 2 : 1} />
}

const History = ({ username, kind }: { username: string; kind: Kind }) => {
  const { t } = useWords()
  const [typed, setTyped] = useState(() => ({ username, kind, ...lastDay() }))
  const [asked, setAsked] = useState<Asked & { kind: Kind }>(() => askFor(typed))
  const put = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }))
  const wrong = typed.start > typed.end
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (!wrong) setAsked({ ...askFor(typed), asked: Date.now() })
  }
  const List = asked.kind === 1 ? TransferList : EnvelopeList
  return (
    <List
      // A new search begins at its first page.
      key={JSON.stringify(asked)}
      asked={asked}
      search={
        <form className="search-form search-labelled" role="search" onSubmit={search}>
          <Field label={t('account.username')}>
            {(control) => (
              <Input
                {...control}
                allowClear
                maxLength={64}
                value={typed.username}
                onChange={(event) => put({ username: event.target.value })}
              />
            )}
          </Field>
          <KindField value={typed.kind} onChange={(next) => put({ kind: next })} />
          <DateField label={t('history.start')} time value={typed.start} onChange={(start) => put({ start })} />
          <DateField
            label={t('history.end')}
            time
            value={typed.end}
            onChange={(end) => put({ end })}
            error={wrong ? t('history.order') : undefined}
          />
          <Button type="primary" htmlType="submit" icon={<Icon name="search" size={16} />}>
            {t('action.search')}
          </Button>
        </form>
      }
    />
  )
}

const askFor = ({ username, kind, start, end }: { username: string; kind: Kind; start: string; end: string }) => ({
  kind,
  username: username.trim(),
  start_time: `${start}:00`,
  end_time: `${end}:00`,
  asked: 0,
})

const KindField = ({ value, onChange }: { value: Kind; onChange: (kind: Kind) => void }) => {
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
