import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Frame, RelayAction, TopicFrame } from './frames.ts'

const Strings = z.array(z.string())
const Event = z.object({ event: z.string(), to: Strings, except: Strings, payload: z.unknown() })
const Ids = z.array(z.int())
const traced = { trace: z.string().optional() }
const known = [
  z.object({ ...traced, do: z.literal('say'), said: z.array(Event) }),
  z.object({ ...traced, do: z.literal('end'), sessions: Strings, reason: z.string() }),
  z.object({ ...traced, do: z.literal('mask'), accounts: Ids, masks: z.boolean() }),
  z.object({ ...traced, do: z.literal('rights'), accounts: Ids }),
  z.object({ ...traced, do: z.literal('reconnect'), channels: Strings }),
  z.object({ ...traced, do: z.literal('look'), rooms: Ids, accounts: Ids, everyone: z.boolean() }),
] as const
const names = new Set<string>(known.map(({ shape }) => shape.do.value))
/** An action of a later version: a copy that does not know it looks for everything. */
const Later = z.object({ ...traced, do: z.string().refine((name) => !names.has(name)) })
const Action = z.union([z.discriminatedUnion('do', known), Later]) as unknown as z.ZodType<RelayAction>

const Count = z.int().nonnegative()
const from = z.string().min(1).max(64)
const Common = z.object({
  from,
  n: Count,
  deed: Action.optional(),
  loose: z.literal(true).optional(),
  hello: z.literal(true).optional(),
  bye: z.literal(true).optional(),
  beat: Count.optional(),
  said: z.record(z.string(), Count).optional(),
}) as unknown as z.ZodType<Frame>
const OfTopic = z.object({ from, beat: Count, i: Count.optional(), deed: Action }) as unknown as z.ZodType<TopicFrame>

/** A frame ends with the field `mac`, which copies of before November 2026 do not look at. */
const END = /,"mac":"([\w-]{43})"}$/

export type FrameSeal = {
  write: (channel: string, frame: object) => string
  /** @throws when another than a copy has written it, for another channel, or in a form that no version has */
  readCommon: (channel: string, text: string) => Frame
  readTopic: (channel: string, text: string) => TopicFrame
}

/**
 * Writes and reads frames between copies. Redis only delivers: a frame counts if a copy that has the installation's key has
 * written it for this channel.
 */
export const frameSeal = (key: Buffer): FrameSeal => {
  const macOf = (channel: string, text: string) => createHmac('sha256', key).update(`${channel}\n${text}`).digest()
  const read = <T>(schema: z.ZodType<T>, channel: string, text: string): T => {
    const given = END.exec(text)
    if (!given) throw new Error('it has no signature')
    const plain = `${text.slice(0, given.index)}}`
    if (!timingSafeEqual(Buffer.from(given[1] ?? '', 'base64url'), macOf(channel, plain)))
      throw new Error('its signature is wrong')
    return schema.parse(JSON.parse(plain))
  }
  return {
    write: (channel, frame) => {
      const plain = JSON.stringify(frame)
      return `${plain.slice(0, -1)},"mac":"${macOf(channel, plain).toString('base64url')}"}`
    },
    readCommon: (channel, text) => read(Common, channel, text),
    readTopic: (channel, text) => read(OfTopic, channel, text),
  }
}
