import type { Contact } from '@tallyroom/contract/calls/conversation/contact'
import { Link } from '@tanstack/react-router'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { Icon } from '../../ui/icon.tsx'
import { Avatar, nameOf } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { kindWords } from './kinds.ts'
import { chatLinkOf } from '../../domain/chat-link.tsx'

type Props = {
  contacts: readonly Contact[]
  chosen: number | undefined
  onChoose: (memberId: number) => void
}

/** One page of contacts, under a heading for each kind. A contact leads to its chat (CONT-04), the button beside it to its profile. */
export const ContactList = ({ contacts, chosen, onChoose }: Props) => {
  const { t } = useWords()
  const kinds = ([0, 1, 2] as const).filter((kind) => contacts.some(({ type }) => type === kind))
  return kinds.map((kind) => (
    <section key={kind} aria-label={t(kindWords[kind].many)}>
      <h2 className="contact-kind">{t(kindWords[kind].many)}</h2>
      <ul className="contact-rows">
        {contacts
          .filter(({ type }) => type === kind)
          .map((contact) => (
            <li
              key={contact.member_id}
              className="contact-line"
              data-chosen={contact.member_id === chosen || undefined}
            >
              <Link {...chatLinkOf(contact)} className="contact-row">
                <Avatar src={contact.thumbnail ? mediaSrc(contact.thumbnail) : ''} name={nameOf(contact)} size={36} />
                <span className="room-words">
                  <bdi className="room-name">{nameOf(contact)}</bdi>
                  {contact.username && contact.nickname && <bdi className="room-username">({contact.username})</bdi>}
                </span>
                {contact.frozen && <span className="chip chip-refused">{t('status.frozen')}</span>}
              </Link>
              <button
                type="button"
                className="c-round"
                aria-label={t('contact.profile_of', { name: nameOf(contact) })}
                data-tip={t('account.profile')}
                aria-pressed={contact.member_id === chosen}
                onClick={() => onChoose(contact.member_id)}
              >
                <Icon name="user" />
              </button>
            </li>
          ))}
      </ul>
    </section>
  ))
}

/** Previous, current, next. */
export const Pager = ({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) => {
  const { t } = useWords()
  return (
    <nav className="contact-pages" aria-label={t('contact.pages')}>
      <button
        type="button"
        className="c-round"
        aria-label={t('contact.previous')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <span className="points" aria-live="polite">
        {t('contact.page', { n: page, pages: Math.max(1, pages) })}
      </span>
      <button
        type="button"
        className="c-round"
        aria-label={t('contact.next')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="chevronRight" />
      </button>
    </nav>
  )
}
