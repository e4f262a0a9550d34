import { useRoomTheme } from './room-theme.ts'
import { limitsOf, type WaitLimits } from '../model/wait.ts'

/** After how many minutes a waiting member is late, and overdue: the group's own setting (CONV-07). */
export const useWaitLimits = (): WaitLimits => limitsOf(useRoomTheme())
