import type { BotSettings } from '../../config/bot-settings.ts'

export type PromptMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** An answer is a few lines; a larger body is not an answer. */
const MAX_BYTES = 256 * 1024

/**
 * Asks an OpenAI-compatible endpoint for the next message. Only the text of its answer is used: no tools are offered or
 * accepted. No length or temperature is requested, because some models refuse them; time and size are limited here.
 * @throws Error without secrets in its message
 */
export const askEndpoint = async (
  bot: BotSettings,
  messages: PromptMessage[],
  stop: AbortSignal,
  headers: Record<string, string> = {},
): Promise<string> => {
  const answer = await fetch(`${bot.url}/chat/completions`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(bot.key ? { authorization: `Bearer ${bot.key}` } : {}),
    },
    // Endpoints refuse half a surrogate pair, and would refuse it again with every later question of the room.
    body: JSON.stringify({ model: bot.model, messages: messages.map(wellFormed), stream: false }),
    // A redirect would send the key to another host.
    redirect: 'error',
    signal: AbortSignal.any([stop, AbortSignal.timeout(bot.timeoutMs)]),
  }).catch((error: unknown) => {
    throw new Error(
      isTimeout(error)
        ? 'the AI endpoint did not answer within AI_TIMEOUT_MS'
        : 'the AI endpoint (AI_URL) cannot be reached',
    )
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(`the AI endpoint answered with HTTP ${answer.status}`)
  }
  return textOf(await bodyOf(answer))
}

const wellFormed = ({ role, content }: PromptMessage): PromptMessage => ({ role, content: content.toWellFormed() })

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

const bodyOf = async ({ body }: Response): Promise<string> => {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of body ?? []) {
      size += part.length
      if (size > MAX_BYTES) throw new Error(`the AI endpoint sent more than ${MAX_BYTES} bytes`)
      parts.push(part)
    }
  } catch (error) {
    if (size > MAX_BYTES) throw error
    throw new Error(
      isTimeout(error)
        ? 'the AI endpoint did not answer within AI_TIMEOUT_MS'
        : 'the AI endpoint closed the connection early',
    )
  }
  return Buffer.concat(parts).toString('utf8')
}

const textOf = (body: string): string => {
  const content = contentOf(body)
  if (typeof content === 'string' && /\S/u.test(content)) return content
  throw new Error('the AI endpoint answered without a text')
}

const contentOf = (body: string): unknown => {
  try {
    const parsed = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] } | null
    return parsed?.choices?.[0]?.message?.content
  } catch {
    return undefined
  }
}
