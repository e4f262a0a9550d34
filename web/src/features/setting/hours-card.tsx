import { nextClosing, nextOpening, openAt, type OpeningHours } from '@tallyroom/contract/desk/hours'
import { MAX_DAY_LABEL, MAX_DIFFERENT_DAYS } from '@tallyroom/contract/desk/hours-form'
import type { Answer } from '@tallyroom/contract'
import { useId } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { firstWeekday, weekdayName } from '../../i18n/calendar-names.ts'
import { useWords } from '../../i18n/i18n.ts'
import { timeZonesWith } from '../../i18n/time-zones.ts'
import { showMoment, timeZone, today } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'
import { Button } from '../../ui/control/button.tsx'
import { DateField } from '../../ui/control/date-field.tsx'
import { Check } from '../../ui/form/check.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import {
  dayError,
  type DraftDay,
  type DraftSpan,
  draftOf,
  type HoursDraft,
  hoursOf,
  shownHours,
  spansError,
} from './hours-draft.ts'
import { TextsFields } from './texts-fields.tsx'
import { SpansField } from './spans-field.tsx'
import './hours.css'

/** DESK-05: when the desk is open. */
export const HoursCard = () => {
  const found = useCall('deskHours/view', {})
  if (found.error && !found.data) return <Alert text={found.error.message} />
  return found.data ? <HoursForm hours={found.data} /> : <div className="card" aria-busy="true" />
}

/** When it opens the next time that it is closed, as the away text says it then. */
const opensAfterClosing = (hours: OpeningHours): number | undefined => {
  const now = serverNow()
  const closed = openAt(hours, now) ? nextClosing(hours, now) : now
  return closed === undefined ? undefined : nextOpening(hours, closed)
}

/** 2026-11-01 is a Sunday. */
const dayOfWeek = (weekday: number) => `2026-11-0${weekday + 1}`
const MONDAY = 1
const WORKDAYS = [1, 2, 3, 4, 5]

const HoursForm = ({ hours }: { hours: Answer<'deskHours/view'> }) => {
  const { t } = useWords()
  const save = useSend('deskHours/save', { refreshes: ['deskHours/view'] })
  const form = useForm<HoursDraft>(() => draftOf(hours), {
    // What is hidden cannot be mended.
    week: (week, { hours_on }) => hours_on && week.map((spans) => spansError(t, spans)).find(Boolean),
    days: (days, { hours_on }) =>
      hours_on && days.map(({ spans }, at) => spansError(t, spans) ?? dayError(t, days, at)).find(Boolean),
  })
  const { draft, field, set } = form
  const submit = form.submit(
    (typed) => save.mutateAsync(hoursOf(typed.hours_on ? typed : { ...draftOf(hours), hours_on: false })),
    () => {
      form.keep(draft)
      notify.done(t('done.saved'))
    },
  )
  const shown = shownHours(t, draft, timeZone())
  const opens = shown && opensAfterClosing(shown)
  const [week, days, zone] = [field('week'), field('days'), field('time_zone')]
  return (
    <>
      <UnsavedChanges hasChanges={form.hasChanges} />
      <FormCard title={t('desk_hours.title')} hint={t('desk_hours.lead')} form={form} onSubmit={submit} quiet>
        <Check isOn={draft.hours_on} onChange={(hours_on) => set({ hours_on })}>
          {t('desk_hours.on')}
        </Check>
        {draft.hours_on && (
          <>
            <Field label={t('home.zone')} error={zone.error}>
              {(control) => (
                <select
                  {...control}
                  className="select"
                  value={zone.value}
                  onChange={({ target }) => zone.onChange(target.value)}
                >
                  <option value="">{t('desk_hours.zone_own', { zone: timeZone() })}</option>
                  {timeZonesWith(...(zone.value ? [zone.value] : [])).map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              )}
            </Field>
            <OpenNow draft={draft} />
            <WeekFields week={draft.week} isTried={Boolean(week.error)} onChange={week.onChange} />
            <DaysFields days={draft.days} isTried={Boolean(days.error)} onChange={days.onChange} />
            <TextsFields texts={draft} opens={opens} onChange={set} />
          </>
        )}
      </FormCard>
    </>
  )
}

/** `isTried`: what is wrong is shown. */
type Part<T> = { isTried: boolean; onChange: (value: T) => void }

const WeekFields = ({ week, isTried, onChange }: Part<DraftSpan[][]> & { week: DraftSpan[][] }) => {
  const { t, language } = useWords()
  const id = useId()
  const first = firstWeekday(language)
  const order = [0, 1, 2, 3, 4, 5, 6].map((at) => (at + first) % 7)
  const setDays = (weekdays: number[], spans: DraftSpan[]) =>
    onChange(week.map((other, at) => (weekdays.includes(at) ? spans : other)))
  return (
    <>
      <h3 id={id}>{t('desk_hours.week')}</h3>
      <ul className="setting-days" aria-labelledby={id}>
        {order.map((weekday) => {
          const name = weekdayName(language, dayOfWeek(weekday), 'long')
          const spans = week[weekday] ?? []
          return (
            <li key={weekday}>
              <span className="setting-day">{name}</span>
              <SpansField
                name={name}
                spans={spans}
                error={isTried ? spansError(t, spans) : undefined}
                onChange={(changed) => setDays([weekday], changed)}
              >
                {weekday === MONDAY && (
                  <Button small plain icon="copy" onClick={() => setDays(WORKDAYS, spans)}>
                    {t('desk_hours.copy')}
                  </Button>
                )}
              </SpansField>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const DaysFields = ({ days, isTried, onChange }: Part<DraftDay[]> & { days: DraftDay[] }) => {
  const { t } = useWords()
  const id = useId()
  const setDay = (at: number, changed: Partial<DraftDay>) =>
    onChange(days.map((day, index) => (index === at ? { ...day, ...changed } : day)))
  return (
    <>
      <h3 id={id}>{t('desk_hours.days')}</h3>
      <p className="setting-closed">{t('desk_hours.days_hint')}</p>
      <ul className="setting-days" aria-labelledby={id}>
        {days.map(({ day, label, spans }, at) => (
          <li key={at}>
            <div className="setting-different">
              <DateField
                label={t('desk_hours.day')}
                value={day}
                error={isTried ? dayError(t, days, at) : undefined}
                onChange={(value) => setDay(at, { day: value })}
              />
              <TextField
                label={t('desk_hours.label')}
                value={label}
                maxLength={MAX_DAY_LABEL}
                dir="auto"
                autoComplete="off"
                onChange={(value) => setDay(at, { label: value })}
              />
            </div>
            <SpansField
              name={day}
              spans={spans}
              error={isTried ? spansError(t, spans) : undefined}
              onChange={(changed) => setDay(at, { spans: changed })}
            >
              <Button small plain icon="trash" onClick={() => onChange(days.filter((_, index) => index !== at))}>
                {t('desk_hours.remove', { what: day })}
              </Button>
            </SpansField>
          </li>
        ))}
      </ul>
      <Button
        icon="plus"
        disabled={days.length >= MAX_DIFFERENT_DAYS}
        onClick={() => onChange([...days, { day: today(), label: '', spans: [] }])}
      >
        {t('desk_hours.add_day')}
      </Button>
    </>
  )
}

/** What the hours mean at this moment, before they are saved. */
const OpenNow = ({ draft }: { draft: HoursDraft }) => {
  const { t } = useWords()
  const hours = shownHours(t, draft, timeZone())
  if (!hours) return null
  const now = serverNow()
  const isOpen = openAt(hours, now)
  const next = isOpen ? nextClosing(hours, now) : nextOpening(hours, now)
  const time = next === undefined ? '' : showMoment(next).slice(0, 16)
  const text = isOpen
    ? time
      ? t('desk_hours.open_until', { time })
      : t('desk_hours.always')
    : time
      ? t('desk_hours.closed_until', { time })
      : t('desk_hours.never')
  return (
    <p className="card-hint" role="status">
      {text}
    </p>
  )
}
