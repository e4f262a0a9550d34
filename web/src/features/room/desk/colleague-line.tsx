import type { Answer } from '@tallyroom/contract'
import { useWords } from '../../../i18n/i18n.ts'
import { nameOf } from '../../../ui/person.tsx'

type Colleague = Answer<'desk/colleagues'>['data'][number]

/** A colleague to give conversations to: whether it is there, and how many wait for it. */
export const ColleagueLine = ({ person, own = false }: { person: Colleague; own?: boolean }) => {
  const { t } = useWords()
  const { nickname, username, active, waiting } = person
  const name = nameOf(person)
  return (
    <span
      className="room-colleague"
      data-active={active === 1 || undefined}
      title={active ? t('desk.active') : undefined}
    >
      <bdi>{own ? `${name} (${t('message.you')})` : nickname ? `${name} (${username})` : name}</bdi>
      {active === 1 && <span className="visually-hidden">{t('desk.active')}</span>}
      {waiting > 0 && <span className="points room-colleague-count">{t('desk.waiting_count', { n: waiting })}</span>}
    </span>
  )
}
