import { tokensOf } from './normalize.ts'

/** A prepared answer of the group. */
export type QuickReply = { title: string; content: string }

/** Below this score no reply is used. */
const MIN_SCORE = 0.5
/** When the second-best reply is this close, it is unclear which one is meant: none is used. */
const MIN_LEAD = 0.05
/** A word of the content counts less than one of the title. */
const CONTENT_WEIGHT = 0.35

/**
 * The reply that a question is about, or none. A word weighs more the fewer titles contain it, so words that are in all
 * titles decide nothing. There is no grammar and no meaning: "not" changes nothing, and synonyms do not match.
 */
export const findReply = (question: string, replies: readonly QuickReply[]): QuickReply | undefined => {
  const words = tokensOf(question)
  const known = replies.map((reply) => ({ reply, title: tokensOf(reply.title), content: tokensOf(reply.content) }))
  const weigh = makeWeigh(known.map(({ title }) => title))
  const scored = known
    .map(({ reply, title, content }) => ({ reply, score: scoreOf(words, title, content, weigh) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored
  if (!best || best.score < MIN_SCORE) return undefined
  if (second && best.score - second.score < MIN_LEAD && second.reply.content !== best.reply.content) return undefined
  return best.reply
}

type Weigh = (word: string) => number

const makeWeigh = (titles: Set<string>[]): Weigh => {
  const titleCounts = new Map<string, number>()
  for (const title of titles) for (const word of title) titleCounts.set(word, (titleCounts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + (titles.length + 1) / ((titleCounts.get(word) ?? 0) + 0.5))
}

const sum = (words: Iterable<string>, weigh: Weigh) => {
  let all = 0
  for (const word of words) all += weigh(word)
  return all
}
const common = (a: Set<string>, b: Set<string>) => [...a].filter((word) => b.has(word))

/** The share of the title that the question contains. A question with more words must find them in the content. */
const scoreOf = (words: Set<string>, title: Set<string>, content: Set<string>, weigh: Weigh): number => {
  if (words.size === 0 || title.size === 0) return 0
  const ofTitle = sum(common(title, words), weigh) / sum(title, weigh)
  const found = [...words].filter((word) => title.has(word) || content.has(word))
  const ofQuestion = sum(found, weigh) / sum(words, weigh)
  return ofTitle * (0.7 + 0.3 * ofQuestion) + CONTENT_WEIGHT * (1 - ofTitle) * contentShare(words, content, weigh)
}

const contentShare = (words: Set<string>, content: Set<string>, weigh: Weigh) =>
  sum(common(words, content), weigh) / sum(words, weigh)
