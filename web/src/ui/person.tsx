import { memo } from 'react'
import { useWords } from '../words.ts'

const letters = new Intl.Segmenter()
/** A letter as a person sees it: in Burmese or Tamil it may be made of several. */
const firstLetter = (name: string) => {
  const [first] = letters.segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}

/** A picture, or the first letter of the name where there is none. */
export const Avatar = memo(({ src, name, size = 32 }: { src: string; name: string; size?: number }) =>
  src ? (
    <img className="avatar" src={src} alt="" width={size} height={size} loading="lazy" decoding="async" />
  ) : (
    <span className="avatar" style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden="true">
      {firstLetter(name)}
    </span>
  ),
)

type Who = { username: string; nickname: string; thumbnail: string; role_id?: number; status?: number }

/** The same everywhere: picture, nickname, (username), and what the account is where it must be said. */
export const Person = ({ who, role = false }: { who: Who; role?: boolean }) => {
  const { t } = useWords()
  return (
    <span className={`person ${who.status === 0 ? 'person-frozen' : ''}`}>
      <Avatar src={who.thumbnail} name={who.nickname || who.username} />
      <span className="person-names">
        <bdi className="person-name">{who.nickname || who.username}</bdi>
        {who.nickname && <bdi className="person-username">({who.username})</bdi>}
      </span>
      {role && who.role_id !== undefined && <span className="chip">{t(roleWords[who.role_id] ?? 'role.member')}</span>}
    </span>
  )
}

export const roleWords: Record<number, 'role.admin' | 'role.agent' | 'role.customer_service' | 'role.member'> = {
  1: 'role.admin',
  2: 'role.agent',
  3: 'role.customer_service',
  4: 'role.member',
}
