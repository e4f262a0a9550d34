import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { RoomType } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { mediaSrc } from '../../../chat/model/media-src.ts'
import { listTimeOf } from '../../../chat/view/messages/time.ts'
import { showMoment } from '../../../i18n/time.ts'
import { Avatar, nameOf } from '../../../ui/person.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { chatPathOf } from '../../../domain/chat-link.tsx'
import { type Hit, useMessageSearch } from './use-message-search.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'

/** Search results below the matching conversations: contacts, notes and messages. */
export const SearchResults = ({ text }: { text: string }) => {
  const { t } = useWords()
  const wanted = cutText(text, MAX_TYPED_NAME)
  return (
    <section className="room-found" aria-label={t('search.found', { text: wanted })}>
      <Contacts text={wanted} />
      <Notes text={wanted} />
      <Messages text={wanted} />
    </section>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 className="found-kind">{title}</h2>
    {children}
  </section>
)

/** Includes contacts without a conversation in the list. */
const Contacts = ({ text }: { text: string }) => {
  const { t } = useWords()
  const debounced = useDebounced(text)
  const asked = { username: debounced, fuzzy: 1, per_page: 5 } as const
  const { data } = useCall('friend/list', asked, { enabled: debounced !== '', meta: { optional: true } })
  const contacts = data?.data.filter(({ type }) => type !== RoomType.upline) ?? []
  if (contacts.length === 0) return null
  return (
    <Group title={t('contact.title')}>
      <ul className="found-rows" data-rows="li">
        {contacts.map((contact) => {
          const name = nameOf(contact)
          return (
            <li key={contact.member_id}>
              <Link {...chatPathOf(contact)} className="found-row">
                <Avatar src={contact.thumbnail ? mediaSrc(contact.thumbnail) : ''} name={name} size={32} />
                <Names name={name} username={contact.username} />
              </Link>
            </li>
          )
        })}
      </ul>
    </Group>
  )
}

const Notes = ({ text }: { text: string }) => {
  const { t } = useWords()
  const debounced = useDebounced(text)
  const { data } = useCall(
    'search/notes',
    { text: debounced || ' ' },
    { enabled: debounced !== '', meta: { optional: true } },
  )
  if (!data || data.data.length === 0) return null
  return (
    <Group title={t('search.notes')}>
      <ul className="found-rows" data-rows="li">
        {data.data.map((note) => (
          <li key={note.note_id}>
            <Note note={note} />
          </li>
        ))}
      </ul>
    </Group>
  )
}

type FoundNote = Answer<'search/notes'>['data'][number]
const Note = ({ note }: { note: FoundNote }) => (
  <Link
    to="/chat/noteContent/$note_id/$member_id/$title"
    params={{ note_id: String(note.note_id), member_id: String(note.member_id), title: note.title }}
    className="found-row"
  >
    <span className="room-words">
      <Names name={note.name} username={note.username} time={note.created_at} />
      <Excerpt part={note} />
    </span>
  </Link>
)

const Messages = ({ text }: { text: string }) => {
  const { t } = useWords()
  const { hits, next, searching, searchedTo, error, more } = useMessageSearch(text)
  return (
    <Group title={t('search.messages')}>
      <ul className="found-rows" data-rows="li">
        {hits.map((hit) => (
          <li key={hit.message_id}>
            <HitRow hit={hit} />
          </li>
        ))}
      </ul>
      <div className="found-state" role="status">
        {searching && (
          <span className="c-note">
            {searchedTo ? t('search.looked_to', { date: showMoment(searchedTo).slice(0, 10) }) : t('search.looking')}
          </span>
        )}
        {!searching && !error && hits.length === 0 && (
          <span className="c-note">
            {/* Of the messages: the groups above may have something. */}
            <span className="visually-hidden">{t('search.messages')}: </span>
            {t('search.none')}
          </span>
        )}
        {!searching && !error && hits.length > 0 && (
          <span className="visually-hidden">
            {t('search.messages')}: {t('palette.count', { n: hits.length })}
          </span>
        )}
      </div>
      {error && (
        <p className="found-state" role="alert">
          {error}
        </p>
      )}
      {!searching && (next !== null || error) && (
        <div className="found-state">
          <button type="button" className="button" onClick={more}>
            {error ? t('action.try_again') : t('search.more')}
          </button>
        </div>
      )}
    </Group>
  )
}

const HitRow = ({ hit }: { hit: Hit }) => (
  <Link
    to="/chat/messaging/$room_id/$member_id/$room_code"
    params={{ room_id: String(hit.room_id), member_id: String(hit.member_id), room_code: hit.code }}
    search={{ at: hit.seq }}
    className="found-row"
  >
    <Avatar src={hit.thumbnail ? mediaSrc(hit.thumbnail) : ''} name={hit.name} size={32} />
    <span className="room-words">
      <Names name={hit.name} username={hit.username} time={hit.created_at} />
      <Excerpt part={hit} />
    </span>
  </Link>
)

const Names = ({ name, username, time }: { name: string; username: string; time?: string }) => (
  <span className="room-top">
    <bdi className="room-name">{name}</bdi>
    {username !== '' && <bdi className="room-username">({username})</bdi>}
    {time && <time className="points">{listTimeOf(time)}</time>}
  </span>
)

const Excerpt = ({ part: { before, hit, after } }: { part: { before: string; hit: string; after: string } }) => (
  <bdi className="found-words">
    {before}
    <mark>{hit}</mark>
    {after}
  </bdi>
)
