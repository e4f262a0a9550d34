import { MAX_VIEW_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import type { FilteredList } from '@tallyroom/contract/calls/office/list-view'
import { type FormEvent, useId, useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useTextLimit } from '../control/use-text-limit.ts'
import { groupCount } from '../form/amount-text.ts'
import { Icon } from '../icon.tsx'
import { notify } from '../overlay/message.tsx'
import { PageViews } from '../page/page-acts.tsx'
import type { FilterValues } from './fields.ts'
import { Panel } from './panel.tsx'
import type { Filters } from './use-filters.ts'
import './list-views.css'
import { useMay } from '../../api/use-menu.ts'

type View = Answer<'listView/list'>['data'][number]
/** A view that every list of its kind has. `base`: other filters refine it, and its time stays when it is chosen. */
export type KnownView = { label: string; filters: FilterValues; count?: number | undefined; base?: true }
type Props = {
  list: FilteredList
  filters: Filters
  /** Before the saved ones; without them "All". */
  known?: readonly KnownView[]
}

const isIn = (part: FilterValues, whole: FilterValues) =>
  Object.entries(part).every(([key, value]) => whole[key] === value)
/** The same for the same filters in any order. */
const keyOf = (values: FilterValues) =>
  Object.keys(values)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => JSON.stringify([key, values[key]]))
    .join(',')

/** The views of a list: those it always has, the group's, and one's own. One press sets all filters of a view. */
export const ListViews = ({ list, filters, known }: Props) => {
  const { t } = useWords()
  const saved = useCall('listView/list', { list }, { staleTime: 60_000, meta: { optional: true } })
  const current = keyOf(filters.values)
  const own = saved.data?.data.find((view) => keyOf(view.filters) === current)
  const all: KnownView[] = [
    ...(known ?? [{ label: t('view.all'), filters: {} }]),
    ...(saved.data?.data ?? []).map(({ name, filters: values }) => ({ label: name, filters: values })),
  ]
  const exact = all.findIndex((view) => keyOf(view.filters) === current)
  const base = all.findLastIndex((view) => view.base && isIn(view.filters, filters.values))
  const chosen = exact < 0 ? base : exact
  const choose = ({ filters: values, base: keeps }: KnownView) => {
    const { time } = filters.values
    filters.set({ ...(keeps && time ? { time } : {}), ...values })
  }
  // A single view that is chosen says nothing.
  if (all.length === 1 && exact === 0 && own === undefined) return null
  return (
    <PageViews>
      <div className="views-line">
        <div className="views" role="group" aria-label={t('view.title')}>
          {all.map((view, at) => (
            <button
              key={`${view.label} ${keyOf(view.filters)}`}
              type="button"
              className="view"
              aria-pressed={at === chosen}
              onClick={() => choose(view)}
            >
              <bdi>{view.label}</bdi>{' '}
              {view.count !== undefined && <span className="view-count points">{groupCount(view.count)}</span>}
            </button>
          ))}
        </div>
        {(exact < 0 || own?.own === 1) && (
          <Panel
            label={t(own ? 'view.edit' : 'view.save')}
            trigger={(props) => (
              <button type="button" className="view-save" {...props}>
                <Icon name="star" size={16} />
                {t(own ? 'view.edit' : 'view.save')}
              </button>
            )}
          >
            {(close) => (
              <ViewForm list={list} values={filters.values} view={own} all={saved.data?.data ?? []} onDone={close} />
            )}
          </Panel>
        )}
      </div>
    </PageViews>
  )
}

type FormProps = {
  list: FilteredList
  values: FilterValues
  view: View | undefined
  all: readonly View[]
  onDone: () => void
}

/** Saving under a name that is there replaces that view. */
const ViewForm = ({ list, values, view, all, onDone }: FormProps) => {
  const { t } = useWords()
  const id = useId()
  const [name, setName] = useState(view?.name ?? '')
  const limited = useTextLimit<HTMLInputElement>({
    maxLength: MAX_VIEW_NAME,
    value: name,
    onChange: ({ target }) => setName(target.value),
  })
  const [shared, setShared] = useState(view?.shared ?? 0)
  const save = useSend('listView/save', { refreshes: ['listView/list'] })
  const mayShare = useMay('view.share')
  const remove = useSend('listView/delete', { refreshes: ['listView/list'] })
  const done = (text: string) => {
    notify.done(text)
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const same = view ?? all.find((one) => one.own === 1 && one.shared === shared && one.name === name.trim())
    const input = { list, name: name.trim(), filters: values, shared, ...(same ? { id: same.id } : {}) }
    if (name.trim()) save.mutate(input, { onSuccess: () => done(t('view.saved')) })
  }
  const error = save.error ?? remove.error
  return (
    <form className="view-form" onSubmit={submit}>
      {error && (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
      <label className="filter-line" htmlFor={id}>
        {t('view.name')}
        <input id={id} className="input" autoComplete="off" value={name} {...limited} />
      </label>
      {mayShare && (
        <label className="view-shared">
          <input type="checkbox" checked={shared === 1} onChange={() => setShared(shared === 1 ? 0 : 1)} />
          {t('view.shared')}
        </label>
      )}
      <div className="view-acts">
        {view && (
          <button
            type="button"
            className="button button-danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ id: view.id }, { onSuccess: () => done(t('view.deleted')) })}
          >
            {t('action.delete')}
          </button>
        )}
        <button type="submit" className="button button-main" disabled={isBlank(name) || save.isPending}>
          {t('action.save')}
        </button>
      </div>
    </form>
  )
}
