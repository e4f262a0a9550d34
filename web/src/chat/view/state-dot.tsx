import type { ColleagueState } from '@tallyroom/contract/desk/states'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import type { ListedColleague } from './colleagues.ts'
import './state.css'

export const stateWords = { on: 'desk.state_on', busy: 'desk.state_busy', away: 'desk.state_away' } as const

/** Filled, with a bar, or a ring: never colour alone. */
export const StateDot = ({ state, item = false }: { state: ColleagueState; item?: boolean }) => (
  <span className={item ? 'c-dot c-dot-item' : 'c-dot'} data-state={state} aria-hidden="true" />
)

/** "Away", or "Away until 14:00". */
export const useStateWords = () => {
  const { t } = useWords()
  return ({ state, until }: Pick<ListedColleague, 'state' | 'until'>): string =>
    until === null
      ? t(stateWords[state])
      : t('desk.state_until', { state: t(stateWords[state]), time: showMoment(until).slice(11, 16) })
}
