import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { Card } from '../card.tsx'
import { storedLook } from '../look.ts'
import { useSession } from '../session.ts'
import { askSite } from '../site-sign-in.ts'

/** API-13: nobody is signed in, and only the page around can change that. `onForm`: it invites visitors, too. */
export const SitePage = ({ onForm }: { onForm: (() => void) | undefined }) => {
  const { t } = useWords()
  const { site } = useSession()
  const sentences = {
    signed_out: t('member.site_signed_out'),
    failed: t('member.site_failed'),
    ended: t('session.dead'),
  }
  const sentence = site === 'signed_out' || site === 'failed' || site === 'ended' ? sentences[site] : undefined
  return (
    <Card title={t('member.sign_in')} look={storedLook()}>
      {sentence && <Alert text={sentence} />}
      <button type="button" className="button button-main m-wide" onClick={askSite}>
        {t(sentence ? 'action.try_again' : 'member.sign_in')}
      </button>
      {onForm && (
        <button type="button" className="c-link m-wide" onClick={onForm}>
          {t('member.to_sign_up')}
        </button>
      )}
    </Card>
  )
}
