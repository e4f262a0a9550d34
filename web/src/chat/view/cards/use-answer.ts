import { useEffect, useRef, useState } from 'react'
import { call, newRequestId } from '../../../api/call.ts'
import { errorText } from '../../../api/error-text.ts'
import { untilAnswered } from '../../../api/until-answered.ts'
import { rooms } from '../../model/chat-session.ts'

type Answering = { accept: boolean; checking: boolean } | undefined

/**
 * The member's answer to an envelope. All retries use one request_id until the outcome is known, so that points move
 * once. Until then the card shows that it is checking, and retries by itself.
 */
export const useAnswer = (transactionId: string, code: string) => {
  const [answering, setAnswering] = useState<Answering>()
  const [refused, setRefused] = useState('')
  const [ids] = useState(() => ({ accept: newRequestId(), reject: newRequestId() }))
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])

  const answer = async (accept: boolean) => {
    if (answering) return
    setRefused('')
    setAnswering({ accept, checking: false })
    const request_id = accept ? ids.accept : ids.reject
    try {
      await untilAnswered(
        () => call('envelope/answer', { transaction_id: transactionId, accept, request_id }),
        () => mounted.current && setAnswering({ accept, checking: true }),
      )
    } catch (error) {
      if (mounted.current) setRefused(errorText(error))
    }
    // The room's event updates the card; if it is lost, this does.
    await rooms.sync(code)
    if (mounted.current) setAnswering(undefined)
  }
  return { answering, refused, answer: (accept: boolean) => void answer(accept) }
}
