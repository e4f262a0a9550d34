import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { usePush } from '../chat/view/use-push.ts'
import { saveTheme, type ThemeSettings, themes } from '../theme/theme.ts'
import { useThemeSettings } from '../theme/use-theme.ts'
import { takeFocus } from '../ui/keyboard/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'
import { NicknameForm, PasswordForm } from './profile/own-forms.tsx'
import { OwnNotices } from './profile/own-notices.tsx'
import { OwnPasskeys } from './profile/own-passkeys.tsx'
import { OwnRecovery } from './profile/own-recovery.tsx'
import { OwnPicture } from './profile/own-picture.tsx'
import { OwnSessions } from './profile/own-sessions.tsx'
import { Sheet } from './sheet.tsx'
import { signOut, useSession } from './session.ts'
import './menu-sheet.css'

const titles = {
  menu: 'member.account',
  nickname: 'member.nickname',
  password: 'member.password',
  passkeys: 'passkey.title',
  recovery: 'recover.own_title',
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
          {me && <OwnRows row={row} nickname={me.nickname} />}
          <DeviceSettings />
          <button type="button" className="button button-danger m-wide" onClick={() => void signOut()}>
            <Icon name="logout" />
            {t('member.sign_out')}
          </button>
        </>
      )}
      {me && view === 'nickname' && <NicknameForm nickname={me.nickname} onDone={back} />}
      {me && view === 'password' && <PasswordForm username={me.username} onDone={back} />}
      {view === 'passkeys' && <OwnPasskeys />}
      {view === 'recovery' && <OwnRecovery />}
      {view === 'sessions' && (
        <>
          <OwnSessions />
          <OwnNotices />
        </>
      )}
    </Sheet>
  )
}

type RowsProps = { row: (to: View, value?: string) => ReactNode; nickname: string }

const OwnRows = ({ row, nickname }: RowsProps) => {
  const { t } = useWords()
  const { recovery, passkeys, sessions } = useOwnFacts()
  return (
    <>
      <ul className="m-rows">
        {row('nickname', nickname)}
        {row('password')}
        {row('recovery', recovery)}
      </ul>
      <ul className="m-rows">
        {row('passkeys', passkeys ? String(passkeys) : '')}
        {row('sessions', sessions ? t('member.devices', { n: sessions }) : '')}
      </ul>
    </>
  )
}

/** Language, look and notifications: kept in this browser, not in the account. */
const DeviceSettings = (): ReactNode => {
  const { t } = useWords()
  const { theme } = useThemeSettings()
  const push = usePush()
  const [trouble, setTrouble] = useState<string>()
  return (
    <>
      <ul className="m-rows">
        <li>
          <LanguageSelect />
        </li>
        <li>
          <label>
            <span>{t('theme.title')}</span>
            <select
              className="select"
              value={theme}
              onChange={(event) => saveTheme({ theme: event.currentTarget.value as ThemeSettings['theme'] })}
            >
              {themes.map((each) => (
                <option key={each} value={each}>
                  {t(`theme.as_${each}`)}
                </option>
              ))}
            </select>
          </label>
        </li>
        <li>
          <button
            type="button"
            aria-pressed={push.isOn}
            aria-busy={push.busy}
            onClick={() => void push.toggle().then(setTrouble)}
          >
            <span>{push.isOn ? t('push.on') : t('push.off')}</span>
            <Icon name={push.isOn ? 'phoneRings' : 'phoneOff'} />
          </button>
        </li>
      </ul>
      <p className="c-note" role="status">
        {trouble ?? (push.isOn ? t('push.turned_on') : '')}
      </p>
    </>
  )
}

type OwnFacts = { recovery?: string; passkeys?: number; sessions?: number }

/** What the rows of the menu say about their views. A row whose facts did not come says nothing. */
const useOwnFacts = (): OwnFacts => {
  const [facts, setFacts] = useState<OwnFacts>({})
  useEffect(() => {
    const add = (more: OwnFacts) => setFacts((now) => ({ ...now, ...more }))
    const ignore = () => {}
    call('recovery/view', {}).then(({ mobile }) => add({ recovery: mobile }), ignore)
    call('passkey/list', {}).then(({ data }) => add({ passkeys: data.length }), ignore)
    call('session/list', {}).then(({ data }) => add({ sessions: data.length }), ignore)
  }, [])
  return facts
}
