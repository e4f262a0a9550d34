import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import { AccountStatus, RoomType } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { type FormEvent, useId, useState } from 'react'
import { Avatar, nameOf } from '../../ui/person.tsx'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { rooms } from '../../chat/model/chat-session.ts'
import { showMoment } from '../../i18n/time.ts'
import { useTextLimit } from '../../ui/control/use-text-limit.ts'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { kindWords } from './kinds.ts'
import { ChatLink } from '../../domain/chat-link.tsx'
import { AccountLink } from '../../domain/account-link.tsx'

type Friend = Answer<'friend/view'>

/** A contact's profile: names, the group's alias, and the link to the conversation. */
export const Profile = ({ memberId }: { memberId: number }) => {
  const { t } = useWords()
  const { data, error, refetch } = useCall('friend/view', { member_id: memberId })
  if (data) return <Sheet key={data.member_id} friend={data} />
  if (!error) {
    return (
      <p className="c-middle" role="status">
        {t('chat.loading')}
      </p>
    )
  }
  return (
    <div className="c-middle">
      <p role="alert">{error.message}</p>
      <button type="button" className="button" onClick={() => void refetch()}>
        {t('action.try_again')}
      </button>
    </div>
  )
}

const Sheet = ({ friend }: { friend: Friend }) => {
  const { t } = useWords()
  const name = nameOf(friend)
  const moment = (at: string | null) => (at ? showMoment(at) : t('contact.never'))
  return (
    <article className="contact-sheet" aria-label={name}>
      <header>
        <Avatar src={friend.thumbnail ? mediaSrc(friend.thumbnail) : ''} name={name} size={72} />
        <h2>
          <AccountLink who={{ id: friend.member_id, username: friend.username }}>
            <bdi>{name}</bdi>
          </AccountLink>
        </h2>
        <p>
          {friend.username && <bdi className="c-note">({friend.username})</bdi>}
          <span className="chip">{t(kindWords[friend.type].one)}</span>
          {friend.frozen && <span className="chip chip-refused">{t('status.frozen')}</span>}
        </p>
        <ChatLink contact={friend} />
      </header>
      <dl>
        {friend.alias !== '' && (
          <div>
            <dt>{t('account.nickname')}</dt>
            <dd>
              <bdi>{friend.own_nickname}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('account.created')}</dt>
          <dd className="points">{moment(friend.created_at)}</dd>
        </div>
        <div>
          <dt>{t('account.last_seen')}</dt>
          <dd className="points">{moment(friend.last_seen_at)}</dd>
        </div>
        <div>
          <dt>{t('contact.last_message')}</dt>
          <dd className="points">{moment(friend.message_time)}</dd>
        </div>
      </dl>
      {friend.type !== RoomType.upline && <Edit friend={friend} />}
    </article>
  )
}

const Edit = ({ friend }: { friend: Friend }) => {
  const { t } = useWords()
  const id = useId()
  const [alias, setAlias] = useState(friend.alias)
  const limited = useTextLimit<HTMLInputElement>({
    maxLength: MAX_NICKNAME,
    value: alias,
    onChange: ({ target }) => setAlias(target.value),
  })
  const { mutateAsync, isPending } = useSend('friend/edit', { refreshes: ['friend/view', 'friend/list'] })
  const send = async (edit: { nickname?: string; status?: 0 | 1 }, done: string) => {
    try {
      await mutateAsync({ member_id: friend.member_id, ...edit })
      notify.done(done)
      // This may have created the room.
      void rooms.catchUp()
    } catch (error) {
      notify.refused(error instanceof Error ? error.message : String(error))
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    void send({ nickname: alias.trim() }, t('done.edited'))
  }
  const kept = friend.status === AccountStatus.active
  return (
    <>
      <UnsavedChanges hasChanges={alias.trim() !== friend.alias} searchKey="member" />
      <form className="field" onSubmit={save}>
        <label htmlFor={id}>{t('contact.our_name')}</label>
        <span className="contact-name">
          <input
            id={id}
            className="input"
            value={alias}
            aria-describedby={`${id}-hint`}
            placeholder={friend.own_nickname}
            {...limited}
          />
          <button type="submit" className="button" disabled={isPending || alias.trim() === friend.alias}>
            {t('action.save')}
          </button>
        </span>
        <p className="field-hint" id={`${id}-hint`}>
          {t('contact.our_name_hint')}
        </p>
      </form>
      <div className="contact-remove">
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() => void send({ status: kept ? 0 : 1 }, t('done.edited'))}
        >
          {kept ? t('contact.remove') : t('contact.put_back')}
        </button>
        <p className="c-note">{t('contact.removed_what')}</p>
      </div>
    </>
  )
}
