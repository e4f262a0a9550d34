import { useState } from 'react'
import { CallError, NO_ANSWER, newRequestId } from './call.ts'

/**
 * Gives a write its `request_id`. When no answer came, a retry with the same input uses the same one, so that it has its
 * effect once; any other input is a new request.
 */
const sendOnce = () => {
  let open: { id: string; body: string } | undefined
  return async <A>(input: object, send: (request_id: string) => Promise<A>): Promise<A> => {
    const body = JSON.stringify(input)
    if (open?.body !== body) open = { id: newRequestId(), body }
    try {
      const answer = await send(open.id)
      open = undefined
      return answer
    } catch (error) {
      if (error instanceof CallError && error.code !== NO_ANSWER) open = undefined
      throw error
    }
  }
}

export const useOnce = () => useState(sendOnce)[0]
