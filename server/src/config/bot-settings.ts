import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { serverPath } from '../paths.ts'
import { StartError } from '../lib/start-error.ts'
import { addSettings } from './known-settings.ts'
import { readEnv, text, webAddress, wholeNumber, yesOrNo } from './env.ts'

/** An OpenAI-compatible endpoint and the limits of a request to it. */
export type BotSettings = {
  /** Without the trailing /chat/completions. */
  url: string
  key: string
  model: string
  timeoutMs: number
  /** The messages of the room that are sent to it, and the most characters of its answer that are used. */
  history: number
  answerLength: number
  prompt: string
}

/** Next to migrations/, for the source and for the bundle. */
const PROMPT = serverPath('prompts/bot.md')

const shape = {
  AI_ALLOW_HTTP: yesOrNo(false),
  AI_MODEL: z.string('is not set: AI_URL needs the name of a model.'),
  AI_KEY: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'may hold only printable ASCII characters without spaces.')
    .default(''),
  AI_TIMEOUT_MS: wholeNumber(20_000, 100, 120_000),
  AI_HISTORY: wholeNumber(20, 1, 100),
  AI_ANSWER_LENGTH: wholeNumber(1000, 50, 4000),
  AI_PROMPT_FILE: text(PROMPT),
}
addSettings(Object.keys(shape))

export const botSettings = (env: NodeJS.ProcessEnv): BotSettings | undefined => {
  const url = readEnv(env, { AI_URL: webAddress() })
    .AI_URL?.replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
  if (!url) {
    const stray = ['AI_KEY', 'AI_MODEL'].find((name) => env[name])
    if (stray) throw new StartError(`${stray} is set without AI_URL, such as https://api.example.com/v1.`)
    return undefined
  }
  const found = readEnv(env, shape)
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password) throw new StartError('AI_URL must not hold a password: the key goes into AI_KEY.')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere && !found.AI_ALLOW_HTTP)
    throw new StartError(
      'AI_URL must begin with https:// (or set AI_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  return {
    url,
    key: found.AI_KEY,
    model: found.AI_MODEL,
    timeoutMs: found.AI_TIMEOUT_MS,
    history: found.AI_HISTORY,
    answerLength: found.AI_ANSWER_LENGTH,
    prompt: promptFrom(found.AI_PROMPT_FILE),
  }
}

const promptFrom = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartError(`AI_PROMPT_FILE: ${path} cannot be read.`)
  }
}
