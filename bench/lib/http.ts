import { connect, type Socket } from 'node:net'
import { URL } from 'node:url'

/** A whole POST of HTTP/1.1, built before the clock runs. */
export const asPost = (url: string, path: string, headers: string[], body: string): Buffer => {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** A call as our browser makes it. */
export const asRequest = (url: string, call: string, token: string, envelope: unknown): Buffer =>
  asPost(url, `/api/${call}`, [`authorization: Bearer ${token}`], JSON.stringify(envelope))

/**
 * One keep-alive connection with one request at a time. Written by hand, because node:http would use more processor time
 * than the measured server. It understands only what our server's small answers need.
 */
export class HttpConnection {
  private socket: Socket
  private text = ''
  private done: ((body: string) => void) | undefined
  private readonly url: URL

  private constructor(url: URL) {
    this.url = url
    this.socket = this.connect()
  }

  static async open(url: string): Promise<HttpConnection> {
    const connection = new HttpConnection(new URL(url))
    await connection.ready()
    return connection
  }

  /** Connected, and again if the server closed what was silent for 72 s, as long as another contestant's turn may be. */
  ready(): Promise<void> {
    if (this.socket.destroyed) this.socket = this.connect()
    if (!this.socket.connecting) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.socket.once('connect', resolve).once('error', reject)
    })
  }

  /** Sends a request and calls back with the body of its answer, as latin1. */
  send(request: Buffer, done: (body: string) => void): void {
    this.done = done
    this.socket.write(request)
  }

  close(): void {
    this.socket.destroy()
  }

  private connect(): Socket {
    const socket = connect(Number(this.url.port), this.url.hostname)
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (chunk: string) => this.take(chunk))
    socket.on('close', () => this.done?.('the connection was closed'))
    socket.on('error', () => undefined)
    return socket
  }

  private take(chunk: string) {
    this.text = this.text === '' ? chunk : this.text + chunk
    const end = this.text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/^content-length: (\d+)\r$/im.exec(this.text.slice(0, end + 1))?.[1])
    const total = end + 4 + length
    if (Number.isNaN(length)) throw new Error(`An answer without its length: ${this.text.slice(0, end)}`)
    if (this.text.length < total) return
    const body = this.text.slice(end + 4, total)
    this.text = this.text.slice(total)
    const { done } = this
    this.done = undefined
    done?.(body)
  }
}

/** True for the answer of a success. */
export const isOk = (body: string): boolean => body.startsWith('{"code":1000,')
