import { type ColleagueState, colleagueStates } from '@tallyroom/contract/desk/states'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import type { ListedColleague } from './colleagues.ts'
import { openEndShift } from './end-shift-state.ts'
import { StateDot, stateWords, useStateWords } from './state-dot.tsx'

/** For so many minutes somebody is away: a call, a meal, an hour. */
const MINUTES = [15, 30, 60]

export const useSetState = () => {
  const set = useSend('desk/state', { refreshes: ['desk/colleagues'] })
  return (state: ColleagueState, minutes: number | null = null) =>
    set.mutate({ state, minutes }, { onError: (error) => notify.refused(error.message) })
}

/** The entries of a menu by which one says what one is. */
export const StateItems = ({ own }: { own: ListedColleague }) => {
  const { t } = useWords()
  const set = useSetState()
  const words = useStateWords()
  return (
    <>
      {own.until !== null && (
        <span className="menu-title" role="presentation">
          {words(own)}
        </span>
      )}
      {colleagueStates.map((state) => (
        <button
          key={state}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          aria-current={state === own.state && own.until === null ? 'true' : undefined}
          onClick={() => set(state)}
        >
          <StateDot state={state} item />
          {t(stateWords[state])}
          {state === own.state && own.until === null && <Icon name="check" size={16} />}
        </button>
      ))}
      {MINUTES.map((minutes) => (
        <button
          key={minutes}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          onClick={() => set('away', minutes)}
        >
          <Icon name="clock" size={16} />
          {t('desk.away_minutes', { n: minutes })}
        </button>
      ))}
      <button type="button" role="menuitem" tabIndex={-1} className="menu-item" onClick={openEndShift}>
        <Icon name="logout" size={16} />
        {t('shift.title')}
      </button>
    </>
  )
}
