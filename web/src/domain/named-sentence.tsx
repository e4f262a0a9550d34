import { Fragment } from 'react'
import { nameOf } from '../ui/person.tsx'
import { AccountLink, type Named } from './account-link.tsx'

/** Stands in a sentence where a name goes: no text of a person contains it. */
const MARK = '\uE000'

type Props<K extends string> = {
  who: Record<K, Named & { nickname?: string }>
  /** The sentence with these values in the place of the names. */
  say: (marks: Record<K, string>) => string
}

/** MEMB-01: a sentence in which names lead to their accounts, wherever a language puts them. */
export const NamedSentence = <K extends string>({ who, say }: Props<K>) => {
  const keys = Object.keys(who) as K[]
  const marks = Object.fromEntries(keys.map((key) => [key, `${MARK}${key}${MARK}`])) as Record<K, string>
  // Every second part is a key.
  return say(marks)
    .split(MARK)
    .map((part, at) => {
      if (at % 2 === 0) return <Fragment key={at}>{part}</Fragment>
      const named = who[part as K]
      return (
        <AccountLink key={at} who={named}>
          <bdi>{nameOf({ nickname: '', ...named })}</bdi>
        </AccountLink>
      )
    })
}
