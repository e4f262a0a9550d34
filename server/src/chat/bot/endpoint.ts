import type { BotSettings } from '../../config/settings.ts'

export type PromptMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** An answer is a few lines; a longer body is refused before it fills the memory. */
const MAX_BYTES = 256 * 1024

/**
 * Asks an OpenAI-compatible endpoint for the next message. Only the text of the answer is used: no tools are offered, and
 * tool calls are ignored. Sends no length and no temperature, because some models refuse them; time and size are limited
 * here. @throws Error whose message holds no secret
 */
export const askEndpoint = async (bot: BotSettings, messages: PromptMessage[], stop: AbortSignal): Promise<string> => {
  const answer = await fetch(`${bot.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bot.key ? { authorization: `Bearer ${bot.key}` } : {}) },
    body: JSON.stringify({ model: bot.model, messages, stream: false }),
    // Following a redirect would send the key to another server.
    redirect: 'error',
    signal: AbortSignal.any([stop, AbortSignal.timeout(bot.timeoutMs)]),
  }).catch((error: unknown) => {
    throw new Error(
      isTimeout(error)
        ? 'the AI endpoint did not answer in time (AI_TIMEOUT_MS)'
        : 'the AI endpoint cannot be reached: check AI_URL',
    )
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(`the AI endpoint answered ${answer.status}`)
  }
  return textOf(await bodyOf(answer))
}

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
        ? 'the AI endpoint did not answer in time (AI_TIMEOUT_MS)'
        : 'the AI endpoint closed the connection in the middle of its answer',
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
