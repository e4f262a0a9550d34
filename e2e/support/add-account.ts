import { makeAccount } from '../../server/src/accounts/accounts.ts'
import { type Database, one, sql, withConnection } from '../../server/src/data/sql.ts'
import { hashPassword, ofThisProcess } from '../../server/src/identity/passwords.ts'
import { makePasswordsCheap } from '../../server/src/testing/cheap-passwords.ts'
import { parsePoints } from '@tallyroom/contract/points'
import { Role } from '@tallyroom/contract/codes'
import { PASSWORD } from './people.ts'
import type { Server } from './server.ts'

makePasswordsCheap()

type Parent = { id: number; topId: number; path: string; groupId: number }
type Options = { under?: string; credit?: string }

const roles = { agent: Role.agent, cs: Role.customerService } as const

let hashed: Promise<string> | undefined
const passwordHash = () => (hashed ??= hashPassword(PASSWORD, ofThisProcess))

const parentOf = async (db: Database, username: string): Promise<Parent> => {
  const found = await one<Parent>(
    db,
    sql`select id, top_id as "topId", path, group_id as "groupId" from accounts where username = ${username}`,
  )
  if (!found) throw new Error(`There is no account ${username}`)
  return found
}

/** Adds an account as `npm run account -- add` does, in this process: starting a console takes half a second. */
export const addAccount = async (
  server: Server,
  role: keyof typeof roles,
  username: string,
  { under = 'admin', credit = '0' }: Options = {},
): Promise<void> => {
  if (!server.database) throw new Error('addAccount needs a server of startJourneyServer')
  await withConnection({ ...server.database, max: 1 }, async (db) => {
    const parent = await parentOf(db, under)
    const limitOfCredit = parsePoints(credit)
    if (limitOfCredit === undefined) throw new Error(`${credit} is not an amount of points`)
    const hash = await passwordHash()
    const account = { parent, role: roles[role], username, nickname: username, passwordHash: hash, limitOfCredit }
    await db.transact((tx) => makeAccount(tx, account))
  })
}
