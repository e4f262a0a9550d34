import { useWords } from '../../i18n/i18n.ts'
import { copyText } from '../../lib/clipboard.ts'
import { Button } from '../../ui/control/button.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { notify } from '../../ui/overlay/message.tsx'

/** A new secret, which is shown once. */
export const Secret = ({ made }: { made: { id: string; secret: string } }) => {
  const { t } = useWords()
  return (
    <div className="api-secret" role="status">
      <p>{t('api_key.once')}</p>
      <code>{made.id}</code>
      <code>{made.secret}</code>
      <Button
        // The next act: the secret is not shown again.
        ref={takeFocus}
        small
        onClick={() => void copyText(made.secret).then((done) => done && notify.done(t('api_key.copied')))}
      >
        {t('api_key.copy')}
      </Button>
    </div>
  )
}
