import { tokensOf } from './normalize.ts'

/** What the house has written down to answer with. */
export type QuickReply = { title: string; content: string }

/** Below this much of both the question and the title in common, nothing is said. */
const MIN_SCORE = 0.5
/** A second that is as good as this near to the first: then neither is known to be meant. */
const MIN_LEAD = 0.05
/** A word of the content counts less than one of the title, by which a saying is called. */
const CONTENT_WEIGHT = 0.35

/**
 * The saying that a question is about, or none. Words are weighed by how few titles hold them, so that what stands in
 * all of them decides nothing. It knows no grammar and no meaning: "not" changes nothing, and another word for the same
 * thing is another word.
 */
export const findReply = (question: string, sayings: readonly QuickReply[]): QuickReply | undefined => {
  const asked = tokensOf(question)
  const known = sayings.map((saying) => ({ saying, title: tokensOf(saying.title), content: tokensOf(saying.content) }))
  const weigh = makeWeigh(known.map(({ title }) => title))
  const scored = known
    .map(({ saying, title, content }) => ({ saying, score: scoreOf(asked, title, content, weigh) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored
  if (!best || best.score < MIN_SCORE) return undefined
  if (second && best.score - second.score < MIN_LEAD && second.saying.content !== best.saying.content) return undefined
  return best.saying
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

/** How much of the title is asked for; a question that says much beside it must find that in the content. */
const scoreOf = (asked: Set<string>, title: Set<string>, content: Set<string>, weigh: Weigh): number => {
  if (asked.size === 0 || title.size === 0) return 0
  const ofTitle = sum(common(title, asked), weigh) / sum(title, weigh)
  const found = [...asked].filter((word) => title.has(word) || content.has(word))
  const ofQuestion = sum(found, weigh) / sum(asked, weigh)
  return ofTitle * (0.7 + 0.3 * ofQuestion) + CONTENT_WEIGHT * (1 - ofTitle) * contentShare(asked, content, weigh)
}

const contentShare = (asked: Set<string>, content: Set<string>, weigh: Weigh) =>
  sum(common(asked, content), weigh) / sum(asked, weigh)
