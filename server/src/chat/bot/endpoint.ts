import type { BotSettings } from '../../config/settings.ts'

export type PromptMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** An answer is a few lines; whoever sends more than this is not answering. */
const MAX_BYTES = 256 * 1024

/**
 * Asks an OpenAI-compatible endpoint for the next thing to say. Nothing of the answer is used but its text: no tools are
 * offered, and none are heard. Neither a length nor a temperature is asked for, because some models refuse such wishes;
 * the time and the size are bounded here. @throws in words that hold no secret
 */
export const askEndpoint = async (bot: BotSettings, messages: PromptMessage[], stop: AbortSignal): Promise<string> => {
  const answer = await fetch(`${bot.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bot.key ? { authorization: `Bearer ${bot.key}` } : {}) },
    body: JSON.stringify({ model: bot.model, messages, stream: false }),
    // An endpoint that sends us elsewhere would have the key sent there too.
    redirect: 'error',
    signal: AbortSignal.any([stop, AbortSignal.timeout(bot.timeoutMs)]),
  }).catch((error: unknown) => {
    throw new Error(isTimeout(error) ? 'the AI endpoint took too long' : 'the AI endpoint cannot be reached')
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
      if (size > MAX_BYTES) throw new Error('the AI endpoint sent too much')
      parts.push(part)
    }
  } catch (error) {
    if (size > MAX_BYTES) throw error
    throw new Error(isTimeout(error) ? 'the AI endpoint took too long' : 'the AI endpoint broke off')
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
