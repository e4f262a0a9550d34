/** Why a conversation went back to the queue. */
export type ReturnReason = 'gone' | 'away' | 'right_lost' | 'no_answer' | 'long_ago'

export const assignMethods = ['off', 'least', 'round'] as const
export type AssignMethod = (typeof assignMethods)[number]

/** DESK-10: how a group shares out the members who wait. */
export type DeskRules = {
  assign: AssignMethod
  /** A colleague with so many conversations in progress gets no more. */
  capacity: number
  /** For so many hours a member comes back to who answered last. */
  sticky_hours: number
  /** An assigned conversation goes back after so many seconds without an answer; 0: never. */
  answer_s: number
  /** Without an open page a colleague is away after so many seconds. */
  gone_s: number
}

export const defaultRules: DeskRules = { assign: 'off', capacity: 8, sticky_hours: 72, answer_s: 120, gone_s: 60 }

/** The least and the greatest of each number. `answer_s` may be 0, too. */
export const ruleRanges = {
  capacity: [1, 50],
  sticky_hours: [0, 720],
  answer_s: [30, 3600],
  gone_s: [30, 600],
} as const satisfies Partial<Record<keyof DeskRules, readonly [number, number]>>
