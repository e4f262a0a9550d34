import type { ListedColleague } from '../../../chat/view/colleagues.ts'
import { StateDot, useStateWords } from '../../../chat/view/state-dot.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { nameOf } from '../../../ui/person.tsx'

/** A colleague to give conversations to: what it is now, how many it has, and how many of them wait. */
export const ColleagueLine = ({ person, own = false }: { person: ListedColleague; own?: boolean }) => {
  const { t } = useWords()
  const words = useStateWords()
  const { nickname, username, state, waiting, load } = person
  const name = nameOf(person)
  return (
    <span className="room-colleague">
      <StateDot state={state} />
      <bdi>{own ? `${name} (${t('message.you')})` : nickname ? `${name} (${username})` : name}</bdi>
      <span className="room-colleague-count">{words(person)}</span>
      {load > 0 && (
        <span className="points room-colleague-count">
          {t('desk.load')} {load}
        </span>
      )}
      {waiting > 0 && <span className="points room-colleague-count">{t('desk.waiting_count', { n: waiting })}</span>}
    </span>
  )
}
