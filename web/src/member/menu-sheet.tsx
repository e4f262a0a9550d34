import { type ReactNode, useState } from 'react'
import { usePush } from '../chat/view/use-push.ts'
import { saveTheme, useColourScheme } from '../theme/theme.ts'
import { takeFocus } from '../ui/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'
import { NicknameForm, PasswordForm } from './own-forms.tsx'
import { OwnPicture } from './own-picture.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Sheet } from './sheet.tsx'
import { signOut, useSession } from './session.ts'
import './menu-sheet.css'

const titles = {
  menu: 'member.account',
  nickname: 'member.nickname',
  password: 'member.password',
  sessions: 'sessions.title',
} as const
type View = keyof typeof titles

/** The member's own account and the settings of this device. */
export const MenuSheet = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  const { me } = useSession()
  const [view, setView] = useState<View>('menu')
  /** The view that was left last: its row gets the focus back. */
  const [left, setLeft] = useState<View>()
  const [done, setDone] = useState('')
  const open = (next: View) => () => {
    setDone('')
    setView(next)
  }
  const back = (text = '') => {
    setDone(text)
    setLeft(view)
    setView('menu')
  }
  const row = (to: View, value = '') => (
    <li>
      <button type="button" ref={left === to ? takeFocus : null} onClick={open(to)}>
        <span>{t(titles[to])}</span>
        <bdi className="c-note">{value}</bdi>
        <Icon name="chevronRight" size={16} />
      </button>
    </li>
  )
  return (
    <Sheet title={t(titles[view])} onClose={onClose} onBack={view === 'menu' ? undefined : () => back()}>
      {view === 'menu' && (
        <>
          {me && <OwnPicture who={me} />}
          <p className="m-done" role="status">
            {done}
          </p>
          {me && (
            <ul className="m-rows">
              {row('nickname', me.nickname)}
              {row('password')}
              {row('sessions')}
            </ul>
          )}
          <DeviceSettings />
          <button type="button" className="button button-danger m-wide" onClick={() => void signOut()}>
            <Icon name="logout" />
            {t('member.sign_out')}
          </button>
        </>
      )}
      {me && view === 'nickname' && <NicknameForm nickname={me.nickname} onDone={back} />}
      {me && view === 'password' && <PasswordForm username={me.username} onDone={back} />}
      {view === 'sessions' && <OwnSessions />}
    </Sheet>
  )
}

/** Language, look and notifications: kept in this browser, not in the account. */
const DeviceSettings = (): ReactNode => {
  const { t } = useWords()
  const scheme = useColourScheme()
  const push = usePush()
  const [trouble, setTrouble] = useState<string>()
  return (
    <div className="m-menu">
      <LanguageSelect />
      <button
        type="button"
        className="button"
        aria-pressed={scheme === 'dark'}
        onClick={() => saveTheme({ theme: scheme === 'dark' ? 'light' : 'dark' })}
      >
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
        {scheme === 'dark' ? t('member.light') : t('member.dark')}
      </button>
      <button
        type="button"
        className="button"
        aria-pressed={push.isOn}
        aria-busy={push.busy}
        onClick={() => void push.turn().then(setTrouble)}
      >
        <Icon name={push.isOn ? 'phoneRings' : 'phoneOff'} />
        {push.isOn ? t('push.on') : t('push.off')}
      </button>
      <p className="c-note" role="status">
        {trouble ?? (push.isOn ? t('push.turned_on') : '')}
      </p>
    </div>
  )
}
