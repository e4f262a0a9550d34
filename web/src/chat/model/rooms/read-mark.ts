import { type Call, CallError, newRequestId, NO_ANSWER } from '../../../api/call.ts'

type Mark = { message_id: string; request_id: string; isOnTheWay: boolean; isRetryDue: boolean }

/** Tells the server which message of a room was read last, again after a lost answer, and never twice at once. */
export const makeReadMark = (ask: Call, code: string, onRefused: (error: CallError) => void) => {
  /** The last mark, until the server has answered it. */
  let unconfirmed: Mark | undefined

  const send = async (mark: Mark): Promise<void> => {
    mark.isOnTheWay = true
    mark.isRetryDue = false
    try {
      await ask('readMessage', { message_id: mark.message_id, code, request_id: mark.request_id })
      if (unconfirmed === mark) unconfirmed = undefined
    } catch (error) {
      if (!(error instanceof CallError) || error.code === NO_ANSWER) return
      if (unconfirmed === mark) unconfirmed = undefined
      onRefused(error)
    } finally {
      mark.isOnTheWay = false
      if (unconfirmed === mark && mark.isRetryDue) void send(mark)
    }
  }

  return {
    read: (message_id: string) => {
      unconfirmed = { message_id, request_id: newRequestId(), isOnTheWay: false, isRetryDue: false }
      void send(unconfirmed)
    },
    /** Call it after every connection. A mark that is still on the way may have been lost with the one before. */
    connected: () => {
      if (!unconfirmed) return
      if (unconfirmed.isOnTheWay) unconfirmed.isRetryDue = true
      else void send(unconfirmed)
    },
  }
}
