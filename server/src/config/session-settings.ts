import { readEnv, wholeNumber } from './env.ts'
import type { SessionLimits } from './setting-types.ts'

const DAY = 24 * 60

export const sessionShape = {
  OFFICE_IDLE_MINUTES: wholeNumber(12 * 60, 1, 90 * DAY).describe(
    'A session in the office ends after so many minutes without a call: [how long a session lasts](decisions/0005-how-long-a-session-lasts.md).',
  ),
  OFFICE_SESSION_MINUTES: wholeNumber(7 * DAY, 1, 90 * DAY).describe('It ends after so many minutes in any case.'),
  MEMBER_IDLE_MINUTES: wholeNumber(30 * DAY, 1, 365 * DAY).describe(
    "A member's session ends after so many minutes without a call.",
  ),
  MEMBER_SESSION_MINUTES: wholeNumber(90 * DAY, 1, 365 * DAY).describe('It ends after so many minutes in any case.'),
  AGENT_LOGIN_IDLE_MINUTES: wholeNumber(15, 1, DAY).describe(
    'An agent login, which has no logout, ends after so many minutes without a call.',
  ),
  AGENT_LOGIN_SESSION_MINUTES: wholeNumber(8 * 60, 1, 7 * DAY).describe('It ends after so many minutes in any case.'),
}

export const sessionLimits = (env: NodeJS.ProcessEnv): SessionLimits => {
  const found = readEnv(env, sessionShape)
  return {
    office: { idleMinutes: found.OFFICE_IDLE_MINUTES, minutes: found.OFFICE_SESSION_MINUTES },
    member: { idleMinutes: found.MEMBER_IDLE_MINUTES, minutes: found.MEMBER_SESSION_MINUTES },
    agent: { idleMinutes: found.AGENT_LOGIN_IDLE_MINUTES, minutes: found.AGENT_LOGIN_SESSION_MINUTES },
  }
}
