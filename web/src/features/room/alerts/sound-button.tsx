import { useState } from 'react'
import { chime, type SoundSetting, soundSetting } from '../../../chat/model/sound.ts'
import { setStored } from '../../../lib/storage.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'

const next: Record<SoundSetting, SoundSetting> = { repeat: 'once', once: 'off', off: 'repeat' }
const icons = { repeat: 'bellRings', once: 'bell', off: 'bellOff' } as const

/** The sound of new messages in this browser: repeated until answered, once, or off. */
export const SoundButton = () => {
  const { t } = useWords()
  const [now, setNow] = useState(soundSetting)
  const word = t(`chat.sound_${now}`)
  return (
    <button
      type="button"
      className="c-round"
      aria-label={word}
      data-tip={word}
      onClick={() => {
        const then = next[now]
        setStored('sound', then)
        setNow(then)
        if (then !== 'off') chime()
      }}
    >
      <Icon name={icons[now]} />
    </button>
  )
}
