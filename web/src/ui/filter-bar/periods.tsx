import { Suspense } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { isBackward, periodOf, presets, presetWords } from '../form/range.ts'
import { Icon } from '../icon.tsx'
import { lazyPart } from '../page/lazy-part.tsx'
import { type FilterField, rangeOf, shownValue } from './fields.ts'
import { Panel } from './panel.tsx'
import '../control/segments.css'

/** Fetched when someone wants other dates than the presets. */
const PeriodFields = lazyPart(async () => (await import('./period-fields.tsx')).PeriodFields)

type Field = Extract<FilterField, { kind: 'period' }>
type Props = {
  field: Field
  value: string
  typed: string
  onType: (period: string) => void
  onChoose: (period: string) => void
}

/** Today, yesterday, seven days, this month, or two times of one's own. */
export const Periods = ({ field, value, typed, onType, onChoose }: Props) => {
  const { t } = useWords()
  const isPreset = presets.some((preset) => preset === value)
  const own = value && !isPreset ? shownValue(t, field, value) : ''
  const chosen = own ? '' : value || field.fallback
  const names = field.fallback === 'day' ? (['day', ...presets] as const) : presets
  const shown = rangeOf(field, typed)
  return (
    <div className="segment" role="group" aria-label={field.label}>
      {field.isLabelShown && <span className="segment-label">{field.label}</span>}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="segment-part"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name === field.fallback || name === value ? '' : name)}
        >
          {t(name === 'day' ? 'range.day' : presetWords[name])}
        </button>
      ))}
      <Panel
        label={t('filter.dates')}
        trigger={(props) => (
          <button
            type="button"
            className="segment-part"
            aria-label={own ? `${t('filter.dates')}: ${own}` : t('filter.dates')}
            data-tip={t('filter.dates')}
            aria-pressed={own !== ''}
            {...props}
          >
            <Icon name="calendar" size={16} />
            {own}
          </button>
        )}
      >
        {(close) => (
          <>
            <Suspense fallback={<span className="bar" data-later />}>
              <PeriodFields
                minutes={field.minutes === true}
                labels={{ start: field.from ?? t('history.start'), end: field.to ?? t('history.end') }}
                {...shown}
                onChange={(range) => onType(periodOf(range))}
              />
            </Suspense>
            <button
              type="button"
              className="button button-main"
              disabled={isBackward(shown)}
              onClick={() => {
                close()
                onChoose(periodOf(shown))
              }}
            >
              {t('filter.apply')}
            </button>
          </>
        )}
      </Panel>
    </div>
  )
}
