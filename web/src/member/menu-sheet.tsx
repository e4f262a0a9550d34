import { useState } from 'react'
import { usePush } from '../chat/view/use-push.ts'
import { saveTheme, useColourScheme } from '../theme/theme.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'
import { Sheet } from './sheet.tsx'
import { signOut, useSession } from './session.ts'

export const MenuSheet = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  const { me } = useSession()
  const scheme = useColourScheme()
  const push = usePush()
  const [trouble, setTrouble] = useState<string>()
  return (
    <Sheet title={me?.nickname || me?.username || t('member.menu')} onClose={onClose}>
      {me?.nickname && <p className="c-note">{me.username}</p>}
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
        <button type="button" className="button" onClick={() => void signOut()}>
          <Icon name="logout" />
          {t('member.sign_out')}
        </button>
      </div>
    </Sheet>
  )
}
