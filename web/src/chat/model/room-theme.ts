import type { Answer } from '@tallyroom/contract'
import { CallError, call, NO_ANSWER, refusedBy } from '../../api/call.ts'
import { makeEmitter } from './emitter.ts'

/** The theme of the rooms of the user's group. Loaded after each connection, and when the server reports a change. */
export type RoomTheme = Pick<
  Answer<'setting/view'>,
  | 'name'
  | 'background_image'
  | 'background_color'
  | 'header_background_color'
  | 'header_font_color'
  | 'late_after'
  | 'overdue_after'
>
/** The theme of a group that has set nothing up. `undefined` is a theme that has not loaded. */
export const noSettings: RoomTheme = {
  name: '',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  late_after: 2,
  overdue_after: 5,
}
let theme: RoomTheme | undefined
let run = 0
const { emit, subscribe } = makeEmitter()
const setTheme = (next: RoomTheme | undefined) => {
  theme = next
  emit('theme')
}

export const loadRoomTheme = async (): Promise<void> => {
  const current = ++run
  try {
    const answer = await call('setting/view', {})
    if (current === run) setTheme(answer)
  } catch (error) {
    // Without an answer, what is shown stays until the next connection.
    if (current === run && error instanceof CallError && error.code !== NO_ANSWER)
      setTheme(refusedBy('setting/view', error, 'setting.not_set_up') ? noSettings : undefined)
  }
}
export const clearRoomTheme = () => {
  run++
  setTheme(undefined)
}
export const currentRoomTheme = () => theme
export const onRoomTheme = (listener: () => void) => subscribe('theme', listener)
