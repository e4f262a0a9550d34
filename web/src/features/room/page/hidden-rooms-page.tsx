import { SMALL } from '../../../chat/view/breakpoints.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { HiddenList } from '../list/hidden-list.tsx'
import { NoRoom } from './no-room.tsx'

/** /chat/hide: the hidden rooms, as a view of the inbox. */
export const HiddenRoomsPage = () => {
  const small = useMedia(SMALL)
  return (
    <div className="messaging">
      <HiddenList small={small} />
      {!small && (
        <div className="messaging-room">
          <NoRoom titled={false} />
        </div>
      )}
    </div>
  )
}
