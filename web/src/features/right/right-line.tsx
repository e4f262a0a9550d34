import { roleWords } from '@tallyroom/contract/words/code-words'
import { useId } from 'react'
import type { Answer } from '@tallyroom/contract'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { Switch } from '../../ui/control/switch.tsx'
import { HoursFields } from '../../ui/form/hours-fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { pageWord, rightWord } from '@tallyroom/contract/words/right-words'
import type { Choice, ExplainedRight, Hours } from './use-rights.ts'

type View = Answer<'right/view'>
type Props = {
  right: ExplainedRight
  role: View['role_id']
  choice: Choice
  isWrong: boolean
  onChoose: (choice: Choice) => void
}

/** Why an account has a right, or has it not. */
const reasonOf = (t: Translate, { why, decided, above, page }: ExplainedRight, role: View['role_id']): string => {
  const facts = { name: decided?.by || t('right.somebody'), at: decided?.at.slice(0, 16) ?? '' }
  if (why === 'role') return t('right.why_role', { role: t(roleWords[role] ?? 'role.member') })
  if (why === 'above') return t('right.why_above', { name: above || t('right.somebody') })
  if (why === 'page') return t('right.why_page', { page: pageWord(t, page) })
  return t(`right.why_${why}`, facts)
}

/** Hours that end before they begin go past midnight. */
const hoursText = (t: Translate, { from, until }: NonNullable<Hours>) =>
  until < from ? `${from}–${until} (${t('right.next_day')})` : `${from}–${until}`

/** The hours that are offered first: those of a day shift. */
const DAY_SHIFT = { from: '08:00', until: '20:00' }

/** One right: what it allows, whether the account has it and why, and what the viewer may change. */
export const RightLine = ({ right, role, choice, isWrong, onChoose }: Props) => {
  const { t } = useWords()
  const id = useId()
  const label = rightWord(t, right.name)
  const { given, hours } = choice
  const mayDecide = given ? right.may_take : right.may_give
  // Hours make less of a right: who may give it may do so, whether it is given now or not.
  const mayTime = given && right.may_give
  return (
    <li className="right" data-has={right.has} data-action={right.action !== ''}>
      <span className="right-mark" role="img" aria-label={t(right.has ? 'right.yes' : 'right.no')}>
        <Icon name={right.has ? 'check' : 'close'} size={16} />
      </span>
      <span className="right-words">
        <label className="right-name" htmlFor={id}>
          {label}
        </label>
        <span className="right-why" id={`${id}-why`}>
          {reasonOf(t, right, role)}
        </span>
      </span>
      {!mayTime && hours && <span className="right-hours-text points">{hoursText(t, hours)}</span>}
      {(right.may_take || right.may_give) && (
        <>
          {mayTime && (
            <button
              type="button"
              className="button right-hours-button"
              aria-expanded={hours !== null}
              aria-label={t('right.hours_of', { right: label })}
              onClick={() => onChoose({ given, hours: hours ? null : (right.hours ?? DAY_SHIFT) })}
            >
              <Icon name="clock" size={16} />
              <span className={hours ? undefined : 'right-all-day'}>
                {hours && hours.from && hours.until ? hoursText(t, hours) : t('right.all_day')}
              </span>
            </button>
          )}
          <Switch
            id={id}
            checked={given}
            disabled={!mayDecide && given === right.is_given}
            aria-describedby={`${id}-why`}
            onChange={(on) => onChoose({ given: on, hours: on ? right.hours : null })}
          />
        </>
      )}
      {mayTime && hours && (
        <HoursFields hours={hours} isWrong={isWrong} onChange={(next) => onChoose({ given, hours: next })} />
      )}
    </li>
  )
}
