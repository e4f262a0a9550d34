import { useMedia } from '../../../ui/use-media.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useRoomAddress } from '../state/address.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { TopBar } from '../../../chat/view/top-bar.tsx'

/** Shown beside the list while no room is open. `titled`: the list has no title of the page. */
export const NoRoom = ({ titled = true }: { titled?: boolean }) => {
  const { t } = useWords()
  const { ai } = useRoomAddress()
  return (
    <>
      {titled && !ai && <h1 className="visually-hidden">{t('chat.messaging')}</h1>}
      <p className="c-middle">{t('chat.pick')}</p>
    </>
  )
}

/** Shown until the page's code is loaded, or the server has identified the room. */
export const OpeningRoom = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  return (
    <div className="room-window">
      {small ? (
        <TopBar to="/chat/messaging" title={t('chat.messaging')} />
      ) : (
        <h1 className="visually-hidden">{t('chat.messaging')}</h1>
      )}
      <p className="c-middle" role="status">
        {t('chat.loading')}
      </p>
    </div>
  )
}
