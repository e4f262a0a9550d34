import type { Answer } from '@tallyroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { Dropdown, type MenuProps } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../call.ts'
import { stopTalk } from '../chat/talk.ts'
import { leaveNotice } from '../features/session/passing.ts'
import { forget, kept } from '../store.ts'
import { Icon } from '../ui/icon.tsx'
import { Avatar } from '../ui/person.tsx'
import { useWords } from '../words.ts'
import { copyShareLink } from './share.ts'

/** The picture can wait: the numbers come first (SHELL-02). */
const AVATAR_DELAY = 2000

/** AUTH-11: nothing of the session stays, the language excepted. */
const logOut = async () => {
  // The session is left behind here even when the server cannot be told.
  await call('logout', {}).catch(() => undefined)
  stopTalk({ forgetTyped: true })
  leaveNotice('logged_out')
  forget()
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

  const name = own?.nickname || own?.username || (kept('user_nickname') ?? '')
  const agentLogin = own?.agent_login === 1 || kept('agent_login') === '1'
  const items: NonNullable<MenuProps['items']> = [
    { key: 'who', type: 'group', label: own ? `${name} (${own.username})` : name },
    ...(narrow && own
      ? [
          {
            key: 'share',
            label: t('shell.copy_link'),
            icon: <Icon name="copy" />,
            onClick: () => void copyShareLink(own),
          },
          ...(own.customized_has_qrcode_show === 1
            ? [
                {
                  key: 'qr',
                  label: t('share.title'),
                  icon: <Icon name="qr" />,
                  onClick: () => void navigate({ to: '/shareQRCode' }),
                },
              ]
            : []),
          {
            key: 'theme',
            label: t('theme.title'),
            icon: <Icon name="palette" />,
            onClick: onTheme,
          },
        ]
      : []),
    {
      key: 'settings',
      label: t('menu.my_settings'),
      icon: <Icon name="sliders" />,
      onClick: () => void navigate({ to: '/setup/self' }),
    },
    ...(agentLogin
      ? []
      : [{ key: 'logout', label: t('shell.logout'), icon: <Icon name="logout" />, onClick: () => void logOut() }]),
  ]
  return (
    <Dropdown autoFocus menu={{ items }} trigger={['click']} placement="bottomRight">
      <button type="button" className="user-button" aria-label={t('shell.user_menu', { name })}>
        <Avatar src={picture ? (own?.thumbnail ?? '') : ''} name={name} />
        <Icon name="chevronDown" size={14} />
      </button>
    </Dropdown>
  )
}
