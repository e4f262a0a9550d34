import { Role } from '@tallyroom/contract/codes'
import type { Belongings } from './matrix.ts'
import type { Name } from './matrix-tree.ts'

/** `denied`: the caller may not make this call. `absent`: the target does not exist for the caller. */
export type Verdict = 'ok' | 'denied' | 'absent'
export type Judge = (who: Name, whom: Name) => Verdict

export const everyone: readonly Role[] = [Role.admin, Role.agent, Role.customerService, Role.member]
export const office: readonly Role[] = [Role.admin, Role.agent, Role.customerService]
export const operators: readonly Role[] = [Role.admin, Role.agent]
export const admins: readonly Role[] = [Role.admin]
export const members: readonly Role[] = [Role.member]

/** And what each account has, whatever its role. */
export type BelongingsAndSession = Belongings & { session: string; passkey_id: number }
export type Row<Request> =
  | 'anyone'
  | {
      who: readonly Role[]
      /** Judges the account that the call is about. */
      whom: Judge
      ask: (id: number, its: BelongingsAndSession) => Request
    }
  | {
      who: readonly Role[]
      /** `null`: the matrix does not make the call where it is allowed, because other rows depend on what it changes. */
      ask: Request | null
    }
