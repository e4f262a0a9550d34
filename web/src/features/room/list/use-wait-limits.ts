import { useRoomTheme } from '../../../chat/view/room-theme.ts'
import { usualLimits, type WaitLimits } from './wait.ts'

/** After how many minutes a waiting member is late, and overdue: the group's own setting (CONV-07). */
export const useWaitLimits = (): WaitLimits => {
  const theme = useRoomTheme()
  return theme ? { late: theme.late_after, overdue: theme.overdue_after } : usualLimits
}
