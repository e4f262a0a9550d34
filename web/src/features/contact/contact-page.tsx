import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { lastPage } from '@tallyroom/contract/limits'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useTextLimit } from '../../ui/control/use-text-limit.ts'
import { Icon } from '../../ui/icon.tsx'
import { Drawer } from '../../ui/overlay/drawer.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Failed, ListSkeleton } from '../../chat/view/list-parts.tsx'
import { SMALL } from '../../chat/view/breakpoints.ts'
import { TopBar } from '../../chat/view/top-bar.tsx'
import { FriendRedirect } from './friend-redirect.tsx'
import { ContactList, Pager } from './contact-list.tsx'
import { Profile } from './profile.tsx'
import type { ContactSearch } from './search.ts'
import './contact.css'

/** /chat/contact: the group's contacts and their profiles. With a friend_id it opens that contact's chat. */
export const ContactPage = () => {
  const { friend_id, ...search } = useSearch({ from: '/chat/chat/contact' })
  return friend_id === undefined ? <Contacts search={search} /> : <FriendRedirect friend_id={friend_id} />
}

const PER_PAGE = 10

const Contacts = ({ search }: { search: ContactSearch }) => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  const navigate = useNavigate()
  const { username = '', fuzzy = 1, page = 1, status = 1, member } = search
  const { data, error, refetch, isPlaceholderData } = useCall(
    'friend/list',
    { status, username, fuzzy, page, per_page: PER_PAGE },
    { keepPrevious: true },
  )
  const go = (to: ContactSearch) => void navigate({ to: '/chat/contact', search: to })
  const { member: _, ...list } = search
  const choose = (memberId: number) => go({ ...search, member: memberId })

  return (
    <div className="messaging contact-page">
      {small && <TopBar to="/chat/messaging" title={t('contact.title')} />}
      <section className="room-list contact-list" aria-label={t('contact.title')}>
        <div className="room-tools">
          {!small && (
            <div className="room-top">
              <h1 className="room-list-title">{t('contact.title')}</h1>
            </div>
          )}
          <SearchForm search={search} onSearch={go} />
        </div>
        <div className="contact-scroll" data-rows=".contact-line" aria-busy={isPlaceholderData}>
          {!data && !error && <ListSkeleton />}
          {!data && error && <Failed words={error.message} retry={() => void refetch()} />}
          {data?.data.length === 0 && (
            <p className="c-middle" role="status">
              {t('contact.not_found')}
            </p>
          )}
          {data && <ContactList contacts={data.data} chosen={member} onChoose={choose} />}
        </div>
        {data && (
          <Pager
            // A second click before the first one's page is loaded counts from the first one's target.
            page={isPlaceholderData ? page : data.pagination.current}
            pages={Math.min(data.pagination.pages, lastPage(Infinity, PER_PAGE))}
            onPage={(next) => {
              const { page: _page, ...rest } = list
              go(next > 1 ? { ...rest, page: next } : rest)
            }}
          />
        )}
      </section>
      {small ? (
        member !== undefined && (
          <Drawer placement="bottom" height="80%" title={t('contact.title')} onClose={() => go(list)}>
            <Profile memberId={member} />
          </Drawer>
        )
      ) : (
        <div className="contact-panel">
          {member === undefined ? <p className="c-middle">{t('contact.pick')}</p> : <Profile memberId={member} />}
        </div>
      )}
    </div>
  )
}

/** A new search starts on page 1 of the active contacts (CONT-01). */
const SearchForm = ({ search, onSearch }: { search: ContactSearch; onSearch: (to: ContactSearch) => void }) => {
  const { t } = useWords()
  const [text, setText] = useState(search.username ?? '')
  const limited = useTextLimit<HTMLInputElement>({
    maxLength: MAX_TYPED_NAME,
    value: text,
    onChange: ({ target }) => setText(target.value),
  })
  useEffect(() => setText(search.username ?? ''), [search.username])
  const from = (fuzzy: boolean): ContactSearch => ({
    ...(text.trim() ? { username: text.trim() } : {}),
    ...(fuzzy ? {} : { fuzzy: 0 }),
  })
  const fuzzy = search.fuzzy !== 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(from(fuzzy))
  }
  return (
    <form className="contact-search" role="search" onSubmit={submit}>
      <label className="room-search">
        <Icon name="search" />
        <input
          type="search"
          enterKeyHint="search"
          value={text}
          placeholder={t('contact.search')}
          aria-label={t('contact.search')}
          {...limited}
        />
      </label>
      <div className="contact-views">
        <div className="room-filters" role="group">
          {([1, 0] as const).map((status) => (
            <button
              key={status}
              type="button"
              className="room-filter"
              aria-pressed={(search.status ?? 1) === status}
              onClick={() => onSearch({ ...from(fuzzy), ...(status ? {} : { status: 0 }) })}
            >
              {t(status ? 'contact.kept' : 'contact.aside')}
            </button>
          ))}
        </div>
        <label>
          <input type="checkbox" checked={fuzzy} onChange={(event) => onSearch(from(event.target.checked))} />
          {t('contact.fuzzy')}
        </label>
      </div>
    </form>
  )
}
