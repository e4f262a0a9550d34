import {
  type Answer,
  type CallName,
  type CommonRefusal,
  contract,
  declared,
  errors,
  type ErrorName,
  type Input,
  isCallName,
  OK,
  type Refusal,
  refusalsOf,
} from '@tallyroom/contract'
import { open } from '@tallyroom/contract/wire'
import { say } from '@tallyroom/locales'
import en from '@tallyroom/locales/en'
import { isDeepStrictEqual } from 'node:util'

/**
 * Answers the calls of a component in place of the server, through the contract: a request or an answer that the
 * contract does not allow, a refusal that a call does not declare, and a call that no test expects fail the test.
 */
type Reaction = (input: unknown) => Promise<Response> | Response
type Names<N extends CallName> = Extract<Refusal<N>, ErrorName> | CommonRefusal
export type Recorded<N extends CallName> = Input<N> & { request_id?: string }

const SECRET = 'component tests'
const standing = new Map<CallName, Reaction>()
const next = new Map<CallName, Reaction[]>()
const recorded: { name: CallName; input: unknown }[] = []
const faults: string[] = []

const fault = (text: string): never => {
  faults.push(text)
  throw new TypeError(text)
}

const reply = (code: number, message: string, data: unknown, refusal?: ErrorName) =>
  new Response(JSON.stringify({ code, message, data, ...(refusal ? { refusal } : {}) }))

const answering =
  <N extends CallName>(name: N, answer: Answer<N> | ((input: Recorded<N>) => Answer<N>)): Reaction =>
  (input) => {
    const made: unknown = typeof answer === 'function' ? answer(input as Recorded<N>) : answer
    const { data, error } = contract[name].response.safeParse(made)
    if (error) return fault(`${name} never answers so: ${error.message}`)
    if (!isDeepStrictEqual(data, made)) return fault(`${name} has no such fields: ${JSON.stringify(made)}`)
    return reply(OK, 'Success', data)
  }

const refusing = <N extends CallName>(name: N, refusal: Names<N>, data: Record<string, unknown> = {}): Reaction => {
  const known: ErrorName = refusal
  if (!refusalsOf(name).includes(known)) fault(`${name} never refuses with ${known}`)
  return () => reply(errors[known], wordsOf(known), data, known)
}

/** The server's words for a refusal, as the alert of a component shows them. */
export const wordsOf = (refusal: ErrorName) => say(en, 'en', refusal)

/** Use `once` for the next call only; afterwards the standing reaction of the call is back. */
const verbs = (react: (name: CallName, reaction: Reaction) => void) => ({
  answers: <N extends CallName>(name: N, answer: Answer<N> | ((input: Recorded<N>) => Answer<N>)) =>
    react(name, answering(name, answer)),
  refuses: <N extends CallName>(name: N, refusal: Names<N>, data?: Record<string, unknown>) =>
    react(name, refusing(name, refusal, data)),
  /** The call arrives and its answer gets lost, so the browser cannot know the outcome. */
  losesAnswer: (name: CallName) =>
    react(name, () => {
      throw new TypeError('The answer got lost')
    }),
  /** Delays the answer until the returned function is called. */
  delays: <N extends CallName>(name: N, answer: Answer<N>) => {
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    react(name, async (input) => {
      await isReleased
      return answering(name, answer)(input)
    })
    return release
  },
})

export const server = {
  ...verbs((name, reaction) => standing.set(name, reaction)),
  once: verbs((name, reaction) => next.set(name, [...(next.get(name) ?? []), reaction])),
  /** The inputs with which a call was made so far, the earliest first. */
  asked: <N extends CallName>(name: N): Recorded<N>[] =>
    recorded.filter((call) => call.name === name).map(({ input }) => input as Recorded<N>),
}

/** Whether the call may be made with this input. Writes must carry a request id, so that they can be repeated safely. */
const checkRequest = (name: CallName, payload: unknown) => {
  const { request_id, ...input } = payload as { request_id?: unknown }
  const { error } = declared(name).request.safeParse(input)
  if (error) fault(`${name} was asked with ${JSON.stringify(input)}: ${error.message}`)
  if (declared(name).effect === 'write' && typeof request_id !== 'string')
    fault(`${name} writes and was asked without a request_id`)
}

export const fakeFetch = async (url: string, { body }: { body?: string } = {}): Promise<Response> => {
  if (url === '/config.json')
    return new Response(
      JSON.stringify({
        api: '',
        secret: SECRET,
        time_zone: 'UTC',
        passkeys: true,
        passkey_sign_in: true,
        recovery_sms: true,
      }),
    )
  const name = url.replace(/^\/api\//, '')
  if (!isCallName(name)) return fault(`No call has the address ${url}`)
  const { params } = JSON.parse(body ?? '{}') as { params: string }
  const payload = open(name, params, SECRET)
  checkRequest(name, payload)
  recorded.push({ name, input: payload })
  const reaction = next.get(name)?.shift() ?? standing.get(name)
  if (!reaction) return fault(`${name} was called, and the test says nothing about it: server.answers('${name}', …)`)
  return reaction(payload)
}

/** Ends when a turn of the event loop has brought no further call. */
export const callsEnded = async (): Promise<void> => {
  let before = -1
  while (recorded.length !== before) {
    before = recorded.length
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Forgets all calls and reactions. Returns what was wrong with the calls since the last time. */
export const resetServer = (): string[] => {
  standing.clear()
  next.clear()
  recorded.length = 0
  return faults.splice(0)
}
