import { type Mention, mentionParts } from '@tallyroom/contract/text/mentions'
import { Role } from '@tallyroom/contract/codes'
import { Fragment } from 'react'
import { linkedText } from '../messages/linked-text.tsx'
import { AccountLink } from '../../../domain/account-link.tsx'

type Shown = Mention & { username: string }

/** A text of colleagues with its links: a mention leads to the page of the colleague. */
export const mentionedText = (text: string, mentions: readonly Shown[] = []) =>
  mentionParts(text, mentions).map((part, at) =>
    typeof part === 'string' ? (
      // The parts of a text never change places.
      <Fragment key={at}>{linkedText(part)}</Fragment>
    ) : (
      <AccountLink key={at} who={{ id: part.id, username: part.username, role_id: Role.customerService }}>
        <bdi className="c-mention">@{part.name}</bdi>
      </AccountLink>
    ),
  )
