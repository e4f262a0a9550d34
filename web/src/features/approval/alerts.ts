import { call } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import { closeNotifications, pushIsOn } from '../../chat/model/push.ts'
import { ring } from '../../chat/model/sound.ts'

/**
 * On every page of the back office: a sound when something waits for the user's approval. Once nothing does, what the
 * browser has shown of it goes away. The server is asked, because the user may have lost the right meanwhile.
 */
export const startApprovalAlerts = (): (() => void) =>
  onEvent('approval', ({ calls }) => {
    if (!calls && !pushIsOn()) return
    // Makers who approve nothing are refused.
    call('approval/open', {}).then(
      ({ open }) => {
        if (open === 0) void closeNotifications('approvals')
        else if (calls) ring()
      },
      () => {},
    )
  })
