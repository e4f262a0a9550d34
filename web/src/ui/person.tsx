import { AccountStatus } from '@tallyroom/contract/codes'
import { memo } from 'react'
import { useWords } from '../i18n/i18n.ts'

let letters: Intl.Segmenter | undefined
/** A letter as a person sees it: in Burmese or Tamil it may be made of several. */
const firstLetter = (name: string) => {
  const text = name.trim()
  // A segmenter takes long to make, and plain letters need none.
  if (/^[!-~](?![^ -~])/.test(text)) return text.slice(0, 1).toUpperCase()
  letters ??= new Intl.Segmenter()
  const [first] = letters.segment(text)
  return first?.segment.toUpperCase() ?? '?'
}

/** A picture, or the first letter of the name where there is none. */
export const Avatar = memo(({ src, name, size = 32 }: { src: string; name: string; size?: number }) =>
  src ? (
    // Drawn for somebody else it must not show the one before until the other has come.
    <img key={src} className="avatar" src={src} alt="" width={size} height={size} loading="lazy" decoding="async" />
  ) : (
    <span className="avatar" style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden="true">
      {firstLetter(name)}
    </span>
  ),
)

type Who = { username: string; nickname: string; thumbnail: string; role_id?: number; status?: number }

/** The same everywhere: picture, nickname, (username), and what the account is where it must be said. */
export const Person = ({ who, role = false }: { who: Who; role?: boolean }) => (
  <span className={`person ${who.status === AccountStatus.frozen ? 'person-frozen' : ''}`}>
    <Avatar src={who.thumbnail} name={who.nickname || who.username} />
    <span className="person-names">
      <bdi className="person-name">{who.nickname || who.username}</bdi>
      {who.nickname && <bdi className="person-username">({who.username})</bdi>}
    </span>
    {role && who.role_id !== undefined && <Role id={who.role_id} />}
  </span>
)

const Role = ({ id }: { id: number }) => {
  const { t } = useWords()
  return <span className="chip">{t(roleWords[id] ?? 'role.member')}</span>
}

export const roleWords: Record<number, 'role.admin' | 'role.agent' | 'role.customer_service' | 'role.member'> = {
  1: 'role.admin',
  2: 'role.agent',
  3: 'role.customer_service',
  4: 'role.member',
}
