import { roleWords } from '@tallyroom/contract/words/code-words'
import { AccountStatus } from '@tallyroom/contract/codes'
import { memo, useState } from 'react'
import { useWords } from '../i18n/i18n.ts'

let segmenter: Intl.Segmenter | undefined
/** The first grapheme: in Burmese or Tamil it may consist of several code points. */
export const firstLetter = (name: string) => {
  const text = name.trim()
  // Creating a segmenter is slow, and ASCII letters need none.
  if (/^[!-~](?![^ -~])/.test(text)) return text.slice(0, 1).toUpperCase()
  segmenter ??= new Intl.Segmenter()
  const [first] = segmenter.segment(text)
  return first?.segment.toUpperCase() ?? '?'
}

/** An account's picture, or the first letter of its name if it has none or it was replaced meanwhile. */
export const Avatar = memo(({ src, name, size = 32 }: { src: string; name: string; size?: number }) => {
  const [lost, setLost] = useState('')
  return src && src !== lost ? (
    // The key makes a new element for a new picture: a reused one would show the previous picture until the new one has
    // loaded.
    <img
      key={src}
      className="avatar"
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setLost(src)}
    />
  ) : (
    <span className="avatar" style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden="true">
      {firstLetter(name)}
    </span>
  )
})

/** The name that people use for an account. */
export const nameOf = ({ nickname, username }: { nickname: string; username: string }) => nickname || username

/** The first word of a name, for buttons; the whole name is beside them. An initial ("J. Smith") says too little. */
export const shortName = (name: string) => {
  const [first = ''] = name.trim().split(/\s+/)
  return /^.{0,2}\.$|^.?$/u.test(first) ? name : first
}

type Who = { username: string; nickname: string; thumbnail: string; role_id?: number; status?: number }

/** An account: picture, nickname, (username), and with `role` its role. */
export const Person = ({ who, role = false }: { who: Who; role?: boolean }) => (
  <span className={`person ${who.status === AccountStatus.frozen ? 'person-frozen' : ''}`}>
    <Avatar src={who.thumbnail} name={nameOf(who)} />
    <span className="person-names">
      <bdi className="person-name">{nameOf(who)}</bdi>
      {who.nickname && <bdi className="person-username">({who.username})</bdi>}
    </span>
    {role && who.role_id !== undefined && <Role id={who.role_id} />}
  </span>
)

const Role = ({ id }: { id: number }) => {
  const { t } = useWords()
  return <span className="chip">{t(roleWords[id] ?? 'role.member')}</span>
}
