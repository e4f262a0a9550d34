import { Suspense } from 'react'
import { closeEndShift, useEndShiftOpen } from '../../../chat/view/end-shift-state.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'

const EndShiftDialog = lazyPart(async () => (await import('./end-shift-dialog.tsx')).EndShiftDialog)

/** The end of the shift, over every page. */
export const EndShift = () => {
  const isOpen = useEndShiftOpen()
  return <Suspense>{isOpen && <EndShiftDialog onClose={closeEndShift} />}</Suspense>
}
