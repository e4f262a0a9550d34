import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { MessageType } from '@tallyroom/contract/codes'
import { again } from '../e2e/support/again.ts'
import { makeClient } from '../e2e/support/client.ts'

const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Sender = { token: string; room: string }
export const sendPhoto = (url: string, { token, room }: Sender) =>
  makeClient(url, token).ask('sendMessage', {
    code: room,
    type: MessageType.image,
    content: PHOTO,
    request_id: randomUUID(),
  })

/** For the alert about an S3 server that does not answer: until then it takes whatever it gets, and keeps nothing. */
export const startAnyS3 = (port: number) => {
  let isAway = false
  createServer((asked, answer) => (isAway ? asked.socket.destroy() : answer.end()))
    .listen(port, '127.0.0.1')
    .unref()
  return {
    env: { S3_URL: `http://127.0.0.1:${port}`, S3_BUCKET: 'rooms', S3_ACCESS_KEY: 'access', S3_SECRET_KEY: 'secret' },
    /** It goes while the member sends photos. */
    goAway: (url: string, sender: Sender) => {
      isAway = true
      const stop = again(() => sendPhoto(url, sender))
      return async () => {
        isAway = false
        await stop()
      }
    },
  }
}
