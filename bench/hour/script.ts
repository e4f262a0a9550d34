/** What a message of the script asks of the person at the desk. */
export type Need =
  | 'answer'
  | 'quick reply'
  | 'points'
  | 'take'
  | 'envelope'
  | 'note'
  | 'take over'
  | 'pay in'
  | 'pay out'
export type Line = {
  /** Its number in the script, from 1; part of its text, so that an answer can name it. */
  n: number
  /** Which of the members writes it. */
  who: number
  /** Milliseconds after the message before it. */
  pause: number
  need: Need
  text: string
}

export const ROOMS = 20
export const MESSAGES = 50
/** Members whose envelopes need their consent. */
export const CONSENTING = [3, 11]
/** The member whose room a colleague has taken. */
export const TAKEN = 17
/** The line goes away when this message has been sent. */
export const CUT_AFTER = 26
export const CUT_MS = 30_000

const special: Record<number, { need: Need; who: number; text: string }> = {
  4: { need: 'points', who: 1, text: 'please send me 30' },
  6: { need: 'pay in', who: 4, text: 'I have transferred 35' },
  9: { need: 'envelope', who: CONSENTING[0] ?? 0, text: 'can I have 15 more?' },
  12: { need: 'take', who: 2, text: 'I want to hand back 20' },
  15: { need: 'note', who: 5, text: 'I am on holiday until the fifth' },
  18: { need: 'points', who: 7, text: '45 please' },
  21: { need: 'take over', who: TAKEN, text: 'omar promised me an answer' },
  23: { need: 'pay out', who: 6, text: 'please pay me out 22' },
  24: { need: 'note', who: 8, text: 'my bank account changed' },
  31: { need: 'pay in', who: 18, text: 'I have transferred 80' },
  33: { need: 'points', who: 12, text: 'send 10 to try it' },
  36: { need: 'envelope', who: CONSENTING[1] ?? 0, text: 'the same as yesterday, 25' },
  39: { need: 'take', who: 13, text: 'take 40 back please' },
  42: { need: 'note', who: 14, text: 'call me Lee from now on' },
  44: { need: 'pay out', who: 19, text: 'I want 12 to my bank' },
  45: { need: 'points', who: 15, text: '60 would be fine' },
}

const questions = [
  'is it there?',
  'how long will it take?',
  'thank you so much',
  'can you look at my last bet?',
  'hello?',
]

/** The hour, the same in each run: messages of all members at a person's pace, now and then two in a row from one. */
export const script = (): Line[] => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const lines: Line[] = []
  for (let n = 1; n <= MESSAGES; n++) {
    const given = special[n]
    const before = lines.at(-1)
    const again = before && n % 7 === 0 && before.need === 'answer'
    // A held room is written to only once: after it has been taken over it is one like all others.
    const who = given?.who ?? (again ? before.who : [0, 4, 6, 9, 10, 16, 18, 19][random(8)]) ?? 0
    const need = given?.need ?? (random(3) === 0 ? 'quick reply' : 'answer')
    const text = `#${n} ${given?.text ?? questions[random(questions.length)]}`
    lines.push({ n, who, need, text, pause: again ? 700 : 900 + random(1400) })
  }
  return lines
}

/** The amount that a message of points names. */
export const amountIn = (text: string): string => /\d+(?!.*\d)/.exec(text.replace(/^#\d+ /, ''))?.[0] ?? '1'
