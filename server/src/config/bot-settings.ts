import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { serverPath } from '../paths.ts'
import { StartError } from '../lib/start-error.ts'
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

export const botAddressShape = {
  AI_URL: webAddress().describe(
    'An OpenAI-compatible API that answers in AI rooms, such as `https://api.example.com/v1`: [the bot](bot.md).',
  ),
}

export const botShape = {
  AI_MODEL: z.string('is not set: AI_URL needs the name of a model.').describe('The name of the model there.'),
  AI_KEY: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'may hold only printable ASCII characters without spaces.')
    .default('')
    .meta({ description: 'The key of that API.', isSecret: true }),
  AI_ALLOW_HTTP: yesOrNo(false).describe('1: http is allowed beyond this machine.'),
  AI_TIMEOUT_MS: wholeNumber(20_000, 100, 120_000).describe('How many milliseconds an answer may take.'),
  AI_HISTORY: wholeNumber(20, 1, 100).describe('How many messages of the room the model gets.'),
  AI_ANSWER_LENGTH: wholeNumber(1000, 50, 4000).describe('The most characters of an answer.'),
  AI_PROMPT_FILE: text(PROMPT).meta({
    description: 'A file with rules of your own for the bot.',
    shownFallback: '`server/prompts/bot.md`',
  }),
}

export const botSettings = (env: NodeJS.ProcessEnv): BotSettings | undefined => {
  const url = readEnv(env, botAddressShape)
    .AI_URL?.replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
  if (!url) {
    const stray = ['AI_KEY', 'AI_KEY_FILE', 'AI_MODEL'].find((name) => env[name])
    if (stray) throw new StartError(`${stray} is set without AI_URL, such as https://api.example.com/v1.`)
    return undefined
  }
  const found = readEnv(env, botShape)
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
