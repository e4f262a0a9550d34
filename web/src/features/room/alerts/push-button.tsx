import { pushIsOn } from '../../../chat/model/push.ts'
import { usePush } from '../../../chat/view/use-push.ts'
import { Icon } from '../../../ui/icon.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useWords } from '../../../i18n/i18n.ts'

/** Switches this browser's push notifications on and off. */
export const PushButton = () => {
  const { t } = useWords()
  const { isOn, busy, toggle } = usePush()
  const word = isOn ? t('push.on') : t('push.off')
  const press = async () => {
    const trouble = await toggle()
    if (trouble) notify.refused(trouble)
    else if (pushIsOn()) notify.done(t('push.turned_on_office'))
  }
  return (
    <button
      type="button"
      className="c-round"
      aria-label={word}
      data-tip={word}
      aria-busy={busy}
      onClick={() => void press()}
    >
      <Icon name={isOn ? 'phoneRings' : 'phoneOff'} />
    </button>
  )
}
