import { useMedia } from '../../../ui/use-media.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useConversation } from './address.ts'
import { SMALL } from './breakpoints.ts'
import { TopBar } from './top-bar.tsx'

/** Beside the list as long as no room is chosen; a room's bar and the bot's list have a heading of their own. */
export const NoRoom = () => {
  const { t } = useWords()
  const { ai } = useConversation()
  return (
    <>
      {!ai && <h1 className="heard">{t('chat.messaging')}</h1>}
      <p className="c-middle">{t('chat.pick')}</p>
    </>
  )
}

/** Until the page's program is here, or the server has said which room it is. */
export const OpeningRoom = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  return (
    <div className="room-window">
      {small ? (
        <TopBar to="/chat/messaging" title={t('chat.messaging')} />
      ) : (
        <h1 className="heard">{t('chat.messaging')}</h1>
      )}
      <p className="c-middle" role="status">
        {t('chat.loading')}
      </p>
    </div>
  )
}
