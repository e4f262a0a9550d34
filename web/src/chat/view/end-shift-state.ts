import { makeSharedValue } from '../../lib/shared-value.ts'

const isOpen = makeSharedValue(false)

/** Opens the end of the shift (DESK-08) over any page (app/routes.tsx). */
export const openEndShift = () => isOpen.set(true)
export const closeEndShift = () => isOpen.set(false)
export const useEndShiftOpen = isOpen.use
