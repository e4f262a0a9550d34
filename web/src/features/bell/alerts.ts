import { call } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import { closeNotifications, pushIsOn } from '../../chat/model/push.ts'
import { ring } from '../../chat/model/sound.ts'

/** On every page of the back office: a sound for a new item. Once all are read, what the browser has shown goes away. */
export const startBellAlerts = (): (() => void) =>
  onEvent('bell', ({ rings }) => {
    if (rings) return ring()
    if (!pushIsOn()) return
    call('bell/open', {}).then(
      ({ unread }) => {
        if (unread === 0) void closeNotifications('bell')
      },
      () => {},
    )
  })
