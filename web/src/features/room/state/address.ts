import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { RoomRef } from '../../../chat/model/rooms/room-ref.ts'
import { rooms } from '../../../chat/model/chat-session.ts'

/** The room parameters of the address: path parts, `?ai=1` and `?at=…`. */
export type Address = {
  path: string
  room_id?: string
  member_id?: string
  room_code?: string
  friend_id?: string
  ai?: boolean
  at?: number
}

const last = { path: '', search: '', address: undefined as Address | undefined }

/**
 * The current address. The router's own state changes only when the new page can be rendered. Until then it has the
 * previous room, and text typed meanwhile would go to the wrong member.
 */
export const readAddress = (router: AnyRouter): Address => {
  const { pathname: path, search } = router.history.location
  if (last.address && last.path === path && last.search === search) return last.address
  const [, params] = router.getMatchedRoutes(path)
  const { ai, at } = router.options.parseSearch(search) as { ai?: unknown; at?: unknown }
  const address: Address = {
    ...params,
    path,
    ...(String(ai) === '1' && { ai: true }),
    ...(Number.isInteger(at) && Number(at) > 0 && { at: Number(at) }),
  }
  Object.assign(last, { path, search, address })
  return address
}

/** The room in an address: by its code, its partner or its number. */
export const roomRefOf = ({ room_id, room_code, friend_id }: Address): RoomRef | undefined => {
  if (room_code) return { code: room_code }
  if (friend_id !== undefined) return isNumber(friend_id) ? { friend_id: Number(friend_id) } : undefined
  return isNumber(room_id) ? { room_id: Number(room_id) } : undefined
}
/** Pages that link here without a room write 0, NaN or "undefined": treat these as "no room", without an alert. */
const isNumber = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,9}$/.test(text)

/** The code of the room at the current path, independent of what is rendered. */
export const codeAt = (router: AnyRouter, path: string): string | undefined => {
  const ref = roomRefOf({ ...router.getMatchedRoutes(path)[1], path })
  return ref && rooms.resolveCode(ref)
}

/** Renders as soon as the address changes, before anything of the new page is loaded. */
export const useAddress = (): Address => {
  const router = useRouter()
  return useSyncExternalStore(router.history.subscribe, () => readAddress(router))
}

/** Whether the user is leaving this page, and the page's own last address: the next page takes a moment to load. */
export const useOwnAddress = (isOwn: (path: string) => boolean) => {
  const now = useAddress()
  const own = useRef(now)
  const left = !isOwn(now.path)
  if (!left) own.current = now
  return { left, address: left && !isOwn(own.current.path) ? noAddress : own.current }
}
const noAddress: Address = { path: '' }

/** Makes a page that the user is leaving inert: it is still visible but must not receive typed text. */
export const useInertWhenLeft = (left: boolean) => {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (left && focused instanceof HTMLElement && ref.current?.contains(focused)) focused.blur()
  }, [left])
  return { ref, inert: left }
}

/** The room's address for everything that the layout renders. */
export const RoomAddress = createContext<Address>(noAddress)
export const useRoomAddress = () => useContext(RoomAddress)
