import type { Answer } from '@tallyroom/contract'
import { CallError, call, NO_ANSWER } from '../../api/call.ts'
import { makeEmitter } from './emitter.ts'

/** How the rooms of the own group look: asked for with each connection, and when the server says that it has changed. */
export type RoomLook = Pick<
  Answer<'setting/view'>,
  'name' | 'background_image' | 'background_color' | 'header_background_color' | 'header_font_color'
>
let look: RoomLook | undefined
let run = 0
const { emit, subscribe } = makeEmitter()
const setLook = (next: RoomLook | undefined) => {
  look = next
  emit('look')
}

export const loadRoomLook = async (): Promise<void> => {
  const current = ++run
  try {
    const answer = await call('setting/view', {})
    if (current === run) setLook(answer)
  } catch (error) {
    // Not set up is an answer too; without one what is shown stays until the next connection.
    if (current === run && error instanceof CallError && error.code !== NO_ANSWER) setLook(undefined)
  }
}
export const forgetRoomLook = () => {
  run++
  setLook(undefined)
}
export const currentRoomLook = () => look
export const onRoomLook = (listener: () => void) => subscribe('look', listener)
