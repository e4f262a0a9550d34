import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Quote } from '@tallyroom/contract/events'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { mayTakeFocus } from '../../../ui/keyboard/focus.ts'
import { drafts, outbox, quotes } from '../../model/chat-session.ts'
import { hasRecording } from '../../model/kept-recordings.ts'
import { resetTyping, signalTyping } from '../../model/presence.ts'
import { isRightRoom, shownRoom } from '../../model/rooms/shown-room.ts'
import { focusAtEnd } from './composer-plugin.ts'

/** Focus the box only with a mouse: on a phone the soft keyboard would cover the conversation. */
const isMouse = () => matchMedia('(pointer: fine)').matches

/** The text of a room's box, which is the room's draft until it is sent. */
export const useDraftText = (code: string) => {
  const [text, setText] = useState(() => drafts.of(code))
  // A draft from another device of the same account; text typed here wins.
  useEffect(() => drafts.subscribe(code, () => setText(drafts.of(code))), [code])
  /** The room that was shown when the first letter was typed. */
  const startedIn = useRef<string>(undefined)
  const canSend = !isBlank(text) && text.length <= MAX_TEXT

  const type = (next: string) => {
    startedIn.current = next ? (startedIn.current ?? shownRoom()) : undefined
    setText(next)
    drafts.keep(code, next)
    if (next) signalTyping(code)
    else resetTyping()
  }
  /** @returns whether the text is on its way; `onSent` is called before its draft is emptied */
  const send = (onSent: () => void): boolean => {
    if (!canSend) return false
    if (!isRightRoom(code, startedIn.current)) {
      // oxlint-disable-next-line no-console -- A bug in this page; the text must not go to another member.
      console.error(
        `Not sent: the text belongs to room ${startedIn.current}, the box to ${code}, the page to ${shownRoom()}.`,
      )
      startedIn.current = undefined
      return false
    }
    outbox.add(code, text, { draft: drafts.versionOf(code), quote: quotes.take(code) })
    onSent()
    startedIn.current = undefined
    drafts.sent(code)
    resetTyping()
    return true
  }
  return { text, canSend, type, send }
}

/** The box itself: it takes the focus, and grows with its text. @returns its ref */
export const useBox = (text: string, autoFocus: boolean, quote: Quote | undefined) => {
  const box = useRef<HTMLTextAreaElement>(null)
  // A layout effect, so that the next key goes to this box; the caret goes to the end of the draft.
  useLayoutEffect(() => {
    if (autoFocus && mayTakeFocus() && isMouse()) focusAtEnd(box.current)
  }, [autoFocus])

  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  // Somebody chose a message to answer: go on with the text. Not for a quote that was here when the room was opened.
  const quoted = useRef(quote?.message_id)
  useLayoutEffect(() => {
    if (quote && quote.message_id !== quoted.current) focusAtEnd(box.current)
    quoted.current = quote?.message_id
  }, [quote])
  return box
}

/** Whether a voice note is recorded in place of the text. The focus returns to `box`, on a phone to the button `mic`. */
export const useRecording = (code: string, box: RefObject<HTMLTextAreaElement | null>) => {
  const mic = useRef<HTMLButtonElement>(null)
  const [isRecording, setRecording] = useState(false)
  // Not while rendering: where the window's width changes the page, the box before this one keeps it only now.
  useEffect(() => setRecording(hasRecording(code)), [code])

  // After the recorder has closed: until then the form is hidden, and cannot have the focus.
  const wasRecording = useRef(isRecording)
  useLayoutEffect(() => {
    if (wasRecording.current && !isRecording) (isMouse() ? box : mic).current?.focus()
    wasRecording.current = isRecording
  }, [isRecording, box])
  return { isRecording, setRecording, mic }
}
