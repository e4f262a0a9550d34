import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

type HttpAnswer = { status: number; text: string; headers: Headers }

/** Posts over a connection that stays open. `fetch` needs four times the processor time, and tests make 50,000 calls. */
export const postTo = (url: string, body: string, headers: Record<string, string>): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.once('error', reject)
      answer.once('end', () => {
        const all = () => {
          const made = new Headers()
          for (let at = 0; at < answer.rawHeaders.length; at += 2)
            made.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '')
          return made
        }
        resolve({
          status: answer.statusCode ?? 0,
          text,
          get headers() {
            return all()
          },
        })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
