import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type EndpointRequest = { authorization: string; body: { model: string; messages: { role: string; content: string }[] } }
type AnswerFunction = (asked: EndpointRequest, response: ServerResponse) => void | Promise<void>

const bodyOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

/** An answer in the format of OpenAI's chat completions. */
export const saying =
  (content: string | ((asked: EndpointRequest) => string)): AnswerFunction =>
  (asked, response) => {
    const text = typeof content === 'string' ? content : content(asked)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] }))
  }

/** A local AI endpoint. `answer` decides what it does with the next request. */
export const openEndpoint = async () => {
  const asked: EndpointRequest[] = []
  const endpoint = {
    url: '',
    asked,
    answer: saying('hello from the model') as AnswerFunction,
    /** The member's last message in each request. */
    questions: () => asked.map(({ body }) => body.messages.findLast(({ role }) => role === 'user')?.content),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (text) => {
      const one = {
        authorization: request.headers.authorization ?? '',
        body: JSON.parse(text) as EndpointRequest['body'],
      }
      asked.push(one)
      if (request.url !== '/v1/chat/completions') response.writeHead(404).end()
      else await endpoint.answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return endpoint
}
export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>
