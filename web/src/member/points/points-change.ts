import { onConnected, onEvent } from '../../api/live.ts'

/** Calls when the member's points move or its request for points changes, also while no event could arrive. */
export const onPointsChange = (changed: () => void): (() => void) => {
  const stops = [
    onConnected(changed),
    onEvent('account', changed),
    onEvent('room', ({ messages }) => {
      if (messages.some(({ cash }) => cash)) changed()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
