import { tokensOf } from './normalize.ts'

/** A quick reply the bot may answer with. */
export type QuickReply = { title: string; content: string }

/** A reply with a lower score (0 to about 1) is not sent. */
const MIN_SCORE = 0.5
/** When the second best reply is nearer than this, the question is ambiguous and no reply is sent. */
const MIN_LEAD = 0.05
/** A word found only in the content counts less than one of the title. */
const CONTENT_WEIGHT = 0.35

/**
 * Finds the quick reply a question is about, if any. A word weighs more the fewer titles contain it, so a word of every
 * title decides nothing. It knows neither grammar nor synonyms: "not" changes nothing.
 */
export const findReply = (question: string, replies: readonly QuickReply[]): QuickReply | undefined => {
  const asked = tokensOf(question)
  const known = replies.map((reply) => ({ reply, title: tokensOf(reply.title), content: tokensOf(reply.content) }))
  const weigh = makeWeigh(known.map(({ title }) => title))
  const scored = known
    .map(({ reply, title, content }) => ({ reply, score: scoreOf(asked, title, content, weigh) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored
  if (!best || best.score < MIN_SCORE) return undefined
  if (second && best.score - second.score < MIN_LEAD && second.reply.content !== best.reply.content) return undefined
  return best.reply
}

type Weigh = (word: string) => number

const makeWeigh = (titles: Set<string>[]): Weigh => {
  const holders = new Map<string, number>()
  for (const title of titles) for (const word of title) holders.set(word, (holders.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + (titles.length + 1) / ((holders.get(word) ?? 0) + 0.5))
}

const sum = (words: Iterable<string>, weigh: Weigh) => {
  let all = 0
  for (const word of words) all += weigh(word)
  return all
}
const common = (a: Set<string>, b: Set<string>) => [...a].filter((word) => b.has(word))

/** The share of the title found in the question; words beyond the title must occur in the content to keep the score up. */
const scoreOf = (asked: Set<string>, title: Set<string>, content: Set<string>, weigh: Weigh): number => {
  if (asked.size === 0 || title.size === 0) return 0
  const ofTitle = sum(common(title, asked), weigh) / sum(title, weigh)
  const found = [...asked].filter((word) => title.has(word) || content.has(word))
  const ofQuestion = sum(found, weigh) / sum(asked, weigh)
  return ofTitle * (0.7 + 0.3 * ofQuestion) + CONTENT_WEIGHT * (1 - ofTitle) * contentShare(asked, content, weigh)
}

const contentShare = (asked: Set<string>, content: Set<string>, weigh: Weigh) =>
  sum(common(asked, content), weigh) / sum(asked, weigh)
