import { useState } from 'react'
import { useWords } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'

/** Says why a share link has led to the member's own conversation, until it is closed. */
export const UnusedInvitation = () => {
  const { t } = useWords()
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <p className="m-bot" role="status">
      {t('member.invitation_unused')}
      <button type="button" className="c-round" aria-label={t('action.close')} onClick={() => setClosed(true)}>
        <Icon name="close" size={16} />
      </button>
    </p>
  )
}
