import type { Answer } from '@tallyroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { call, setSessionEndHandler } from '../../api/call.ts'
import { stopChat } from '../../chat/model/chat-session.ts'
import { saveNotice } from '../../lib/handoff.ts'
import { clearStored } from '../../lib/storage.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { askForKeys } from '../../ui/keyboard/keys-asked.ts'
import { useOwnState } from '../../chat/view/colleagues.ts'
import { StateDot } from '../../chat/view/state-dot.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { lazyPart, usePreload } from '../../ui/page/lazy-part.tsx'
import { Avatar, nameOf } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { GUIDES } from '../../domain/guides.ts'
import { copyShareLink } from '../../domain/share-link.ts'

const StateItems = lazyPart(async () => (await import('../../chat/view/state-items.tsx')).StateItems)

/** Milliseconds: the picture loads after the page's data (SHELL-02). */
const AVATAR_DELAY = 2000

/** AUTH-11: removes everything of the session from this browser, except language and theme. */
const logOut = async () => {
  // The session ends because the user wants it: a call that is still on its way would give another reason at sign-in.
  setSessionEndHandler(() => {})
  // Sign out here even when the server does not answer.
  await call('logout', {}).catch(() => undefined)
  stopChat({ forgetTyped: true })
  saveNotice('logged_out')
  clearStored()
  window.location.assign('/login')
}

type Props = { own: Answer<'user/view'> | undefined; narrow: boolean; onTheme: () => void }

export const UserMenu = ({ own, narrow, onTheme }: Props) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const [picture, setPicture] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPicture(true), AVATAR_DELAY)
    return () => clearTimeout(timer)
  }, [])

  const state = useOwnState()
  usePreload(StateItems.preload, state !== undefined)
  const name = own ? nameOf(own) : ''
  return (
    <Menu
      name={t('shell.user_menu', { name })}
      button={{
        className: 'user-button',
        content: (
          <>
            <Avatar src={picture ? (own?.thumbnail ?? '') : ''} name={name} />
            {state && <StateDot state={state.state} />}
            <Icon name="chevronDown" size={14} />
          </>
        ),
      }}
    >
      <span className="menu-title" role="presentation">
        {own ? `${name} (${own.username})` : name}
      </span>
      <Suspense>{state && <StateItems own={state} />}</Suspense>
      {narrow && own && (
        <>
          <span className="menu-title" role="presentation">
            {t('shell.share_code')} <code>{own.share_code}</code>
          </span>
          <Item icon="copy" word={t('shell.copy_link')} press={() => void copyShareLink(own)} />
          {own.customized_has_qrcode_show === 1 && (
            <Item icon="qr" word={t('share.title')} press={() => void navigate({ to: '/shareQRCode' })} />
          )}
          <Item icon="palette" word={t('theme.title')} press={onTheme} />
        </>
      )}
      {!narrow && <Item icon="keyboard" word={t('keys.title')} press={askForKeys} />}
      <Item
        icon="shield"
        word={t('right.title_own')}
        press={() => void navigate({ to: '/rights/{-$id}', params: {} })}
      />
      <Item icon="sliders" word={t('menu.settings')} press={() => void navigate({ to: '/setup/self' })} />
      <a className="menu-item" role="menuitem" tabIndex={-1} href={GUIDES} target="_blank" rel="noopener">
        <Icon name="help" />
        {t('menu.help')}
      </a>
      {own?.agent_login !== 1 && <Item icon="logout" word={t('shell.logout')} press={() => void logOut()} />}
    </Menu>
  )
}

const Item = ({ icon, word, press }: { icon: IconName; word: string; press: () => void }) => (
  <button type="button" className="menu-item" role="menuitem" tabIndex={-1} onClick={press}>
    <Icon name={icon} />
    {word}
  </button>
)
