import { asFrame, FrameSocket } from '../lib/socket.ts'
import type { Hear, ChatUser, ChatConnection } from './chat-connections.ts'

/** ejabberd: messages go into group chats (XEP-0045), are archived, and reach everyone in the room, the sender too. */
export const openEjabberd = async (url: string, users: ChatUser[], hear: Hear): Promise<ChatConnection> => {
  const waiting = users.map(() => new Map<string, () => void>())
  const sockets = await Promise.all(
    users.map(({ token, rooms }, user) =>
      openXmpp(url, token, rooms, (stanza) => {
        const own = stanza.startsWith('<message') && / from='[^']*\/(\w+)'.*? id='(\d+)'/.exec(stanza)
        if (own && own[1] === token) {
          waiting[user]?.get(own[2] ?? '')?.()
          waiting[user]?.delete(own[2] ?? '')
        }
        hear(user, stanza)
      }),
    ),
  )
  return {
    mark: '<body>',
    prepare: (_, room, text) =>
      Buffer.from(
        `<message to='${room}@${CONFERENCE}' type='groupchat' id='${/\d+/.exec(text)?.[0] ?? ''}'><body>${text}</body></message>`,
      ),
    send: (user, message, done) => {
      const stanza = message.toString()
      waiting[user]?.set(/ id='(\d+)'/.exec(stanza)?.[1] ?? '', done)
      sockets[user]?.send(asFrame(stanza))
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

const CONFERENCE = 'conference.localhost'
export const XMPP_PASSWORD = 'secret123'
const OPEN = "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='localhost' version='1.0'/>"

/** Signs in over a websocket (RFC 7395), and enters the rooms. */
const openXmpp = async (url: string, name: string, rooms: string[], hear: (stanza: string) => void) => {
  let next: (stanza: string) => void = hear
  const socket = await FrameSocket.open(url, (stanza) => next(stanza), ['sec-websocket-protocol: xmpp'])
  const ask = (stanza: string, until: string) =>
    new Promise<void>((resolve, reject) => {
      next = (answer) => {
        if (answer.includes(until)) resolve()
        else if (/<failure|type='error'/.test(answer)) reject(new Error(answer))
      }
      socket.send(asFrame(stanza))
    })
  const plain = Buffer.from(`\0${name}\0${XMPP_PASSWORD}`).toString('base64')
  await ask(OPEN, 'stream:features')
  await ask(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${plain}</auth>`, '<success')
  await ask(OPEN, 'stream:features')
  await ask("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", "type='result'")
  for (const room of rooms)
    await ask(
      `<presence to='${room}@${CONFERENCE}/${name}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
      '<subject',
    )
  next = hear
  return socket
}
