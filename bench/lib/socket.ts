import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const MASKED = 0x80
const FINAL_TEXT = 0x81
const CLOSE = 8

/** A client's frame. The mask is zero and so changes nothing. */
export const asFrame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([FINAL_TEXT, MASKED | payload.length, 0, 0, 0, 0])
      : Buffer.from([FINAL_TEXT, MASKED | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}

/**
 * A minimal websocket client: 200 real clients that parse everything would take the processor from the measured server.
 * Passes each frame on as text.
 */
export class FrameSocket {
  private readonly socket: Socket
  private readonly hear: (frame: string) => void
  private rest: Buffer = Buffer.alloc(0)
  private opened: () => void = () => undefined

  private constructor(socket: Socket, hear: (frame: string) => void) {
    this.socket = socket
    this.hear = hear
    socket.on('data', (chunk: Buffer) => this.take(chunk))
  }

  /** Resolves when the handshake is done. */
  static open(url: string, hear: (frame: string) => void, headers: string[] = []): Promise<FrameSocket> {
    const { hostname, port, host, pathname, search } = new URL(url)
    const head = [
      `GET ${pathname}${search} HTTP/1.1`,
      `host: ${host}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      ...headers,
    ]
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
      socket.setNoDelay(true).once('error', reject)
      socket.once('close', () => reject(new Error('a socket was closed')))
      const frames = new FrameSocket(socket, hear)
      frames.opened = () => resolve(frames)
    })
  }

  send(frame: Buffer): void {
    this.socket.write(frame)
  }

  close(): void {
    this.socket.destroy()
  }

  private take(chunk: Buffer) {
    this.rest = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk
    // Only the answer to the handshake is not a frame.
    if (this.rest[0] === 'H'.charCodeAt(0)) {
      const end = this.rest.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!this.rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) return void this.socket.destroy()
      this.rest = this.rest.subarray(end + 4)
      this.opened()
    }
    for (let frame = this.next(); frame !== undefined; frame = this.next()) this.hear(frame)
  }

  private next(): string | undefined {
    const { rest } = this
    if (rest.length < 2) return undefined
    const short = rest[1] ?? 0
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (rest.length < head) return undefined
    const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
    if (rest.length < head + length) return undefined
    this.rest = rest.subarray(head + length)
    if (((rest[0] ?? 0) & 15) === CLOSE) this.socket.destroy()
    return rest.toString('latin1', head, head + length)
  }
}

/** A Socket.IO client; resolves when the server has accepted it. Passes on each packet: `42["event",…]`, `43id[…]`. */
export const openLive = (url: string, auth: unknown, hear: (packet: string) => void): Promise<FrameSocket> =>
  new Promise((resolve, reject) => {
    const opening = FrameSocket.open(`${url}/socket/?EIO=4&transport=websocket`, (packet) => {
      const say = (text: string) => void opening.then((live) => live.send(asFrame(text)))
      if (packet.startsWith('0')) say(`40${JSON.stringify(auth)}`)
      else if (packet.startsWith('40')) resolve(opening)
      else if (packet.startsWith('44')) reject(new Error(packet))
      else if (packet === '2') say('3')
      else hear(packet)
    })
    opening.catch(reject)
  })
