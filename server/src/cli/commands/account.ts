import { MAX_NICKNAME, MAX_PASSWORD, MIN_PASSWORD } from '@tallyroom/contract/lengths'
import { randomBytes } from 'node:crypto'
import type { AuditKind } from '@tallyroom/contract/audit-kinds'
import { formatPoints } from '@tallyroom/contract/points'
import { visibleName } from '@tallyroom/contract/text/names'
import { type Excess, findExcess, lockAbilities, takeExcess } from '../../accounts/abilities.ts'
import { addAccount } from '../../accounts/add-account.ts'
import { AccountStatus, fitsBelow, Role } from '@tallyroom/contract/codes'
import { type AuditFacts, audit } from '../../identity/audit.ts'
import { type Database, many, one, type Row, sql, type Tx } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import { hashPassword, ofThisProcess, verifyPassword } from '../../identity/passwords.ts'
import { addressOf, issueToken, type TokenKind } from '../../identity/sign-in/tokens.ts'
import { StartError } from '../../lib/start-error.ts'
import { typedPoints } from '../../lib/typed-points.ts'
import { wordsFor } from '../../lib/words.ts'
import type { Command, Console, Given } from './command.ts'
import { is } from '../../domain/is.ts'

const roles: Record<string, Role> = { admin: 1, agent: 2, cs: 3, member: 4 }

type Values = Given['values']

const fail = (line: string): never => {
  throw new StartError(line)
}

type Account = {
  id: number
  topId: number
  path: string
  groupId: number
  role: Role
  username: string
  status: 0 | 1
  consent: 0 | 1
  passwordHash: string
  paymentHash: string | null
}
const find = async (db: Database, name: string): Promise<Account> =>
  (await one<Account>(
    db,
    sql`select id, top_id as "topId", path, group_id as "groupId", role_id as role, username, status,
        withdraw_confirm as consent, password_hash as "passwordHash", payment_password_hash as "paymentHash"
      from accounts where lower(username) = lower(${name}) and not is_key`,
  )) ?? fail(`There is no account "${name}". See: npm run account -- list`)

/** Writes an operator's action into the audit log. There is no signed-in actor, so the entry says `console`. */
const auditConsole = (tx: Tx, kind: AuditKind, target: { id: number; topId: number }, facts: AuditFacts = {}) =>
  audit(tx, {}, kind, target, { ...facts, by: 'console' })

const passwordFrom = async ({ readSecret }: Console, { flags }: Given) => {
  if (flags.password) {
    const own = await readSecret('Password: ')
    if (own.length < MIN_PASSWORD || own.length > MAX_PASSWORD) return fail('A password has 4 to 128 characters.')
    return { password: own, shown: '' }
  }
  const password = randomBytes(12).toString('base64url').replace(/[-_]/g, 'x').slice(0, 12)
  return { password, shown: `   Password (shown this once): ${password}` }
}

/** As the office stores it: a name can be seen. */
const nicknameFrom = (typed: string) => {
  const nickname = visibleName(typed)
  if (nickname === '') return fail('Nothing of this nickname can be seen. Leave --nickname out to show the username.')
  if (nickname.length > MAX_NICKNAME)
    return fail(`A nickname has at most ${MAX_NICKNAME} characters, and this one has ${nickname.length}.`)
  return nickname
}

const add = async (console: Console, given: Given) => {
  const { db, print } = console
  const {
    words: [kind = '', username = ''],
    values,
    flags,
  } = given
  const role = roles[kind] ?? fail(`"${kind}" is not a kind of account. Use admin, agent, cs or member.`)
  if (!/^[A-Za-z0-9_.-]{4,10}$/.test(username)) return fail('A username has 4 to 10 letters, digits, or one of _ . -')
  const parent = await find(db, values.under ?? 'admin')
  if (!fitsBelow(role, parent.role)) return fail(`An account of kind ${kind} cannot be below ${parent.username}.`)
  const limitOfCredit = values.credit === undefined ? 0n : typedPoints(values.credit)
  if (limitOfCredit === undefined)
    return fail(`"${values.credit}" is not one amount of points. Use digits, such as 500 or 12.5.`)
  const nickname = values.nickname === undefined ? username : nicknameFrom(values.nickname)
  const { password, shown } = await passwordFrom(console, given)
  const passwordHash = await hashPassword(password, ofThisProcess)
  const account = {
    parent,
    role,
    username,
    passwordHash,
    // A generated password was shown on a screen and perhaps sent in a message.
    mustChoosePassword: !flags.password,
    nickname,
    limitOfCredit,
  }
  await db.transact((tx) => addAccount(tx, {}, { ...account, unlimited: flags.unlimited === true }, { by: 'console' }))
  const credit = limitOfCredit > 0n ? ` with a credit of ${formatPoints(limitOfCredit)}` : ''
  print(`Made ${kind} ${username} below ${parent.username}${credit}.${shown}`)
}

const list = async ({ db, print }: Console, { under }: Values) => {
  const root = under ? await find(db, under) : undefined
  const rows = await many<
    Row & {
      path: string
      role: Role
      username: string
      nickname: string
      status: number
      balance: bigint
      share: string
    }
  >(
    db,
    sql`select a.path, a.role_id as role, a.username, a.nickname, a.status, w.balance, a.share_code as share
      from accounts a join wallets w on w.account_id = a.id and w.kind = ${is.mainWallet}
      where a.path like ${`${root?.path ?? '/'}%`} order by string_to_array(a.path, '/')`,
  )
  const names = Object.fromEntries(Object.entries(roles).map(([name, role]) => [role, name]))
  for (const row of rows) {
    const indent = '  '.repeat(row.path.split('/').length - 3)
    const frozen = row.status === AccountStatus.frozen ? '  FROZEN' : ''
    print(
      `${indent}${row.username}  ${names[row.role] ?? ''}  ${row.nickname}  ${formatPoints(row.balance)}  share code ${row.share}${frozen}`,
    )
  }
}

/** Returns 1 while any account has more rights than the agent above it. */
const check = async ({ db, print }: Console, { values, flags }: Given): Promise<number> => {
  const path = values.under ? (await find(db, values.under)).path : '/'
  const takesAway = flags['take-away'] === true
  const found = takesAway ? await takeAway(db, path) : await findExcess(db, path)
  for (const { username, upline, abilities } of found)
    for (const [name, levels] of Object.entries(abilities))
      if (Array.isArray(levels)) print(`${username}  ${name}  ${levels[0]}, at most ${levels[1]} below ${upline}`)
  if (found.length === 0) {
    print('No agent or customer service has more rights than the agent above it.')
    return 0
  }
  const people = found.length === 1 ? '1 account has' : `${found.length} accounts have`
  if (takesAway) {
    print(`${people} lost the rights above.`)
    return 0
  }
  print(
    `${people} more rights than the agent above. Give that agent the right (Agent management, Edit), or take it from`,
  )
  print('all of them: npm run account -- check --take-away')
  return 1
}

const takeAway = (db: Database, path: string): Promise<Excess[]> =>
  db.transact(async (tx) => {
    const tops = await many<{ id: number }>(tx, sql`select id from accounts where parent_id is null order by id`)
    for (const { id } of tops) await lockAbilities(tx, id, 'change')
    return takeExcess(tx, path, {}, { by: 'console' })
  })

const endAll = (reason: 'frozen' | 'password' | 'ended', id: number) =>
  sql`update sessions set ended_at = now(), end_reason = ${reason} where account_id = ${id} and ended_at is null`

/** W20: sign-in and payment password must differ, so that knowing one does not reveal the other. */
const requireDifferent = async (hash: string | null, password: string) => {
  if (hash && (await verifyPassword(hash, password, ofThisProcess))) fail(wordsFor('en', 'account.passwords_same'))
}

const changeAccount = async (console: Console, given: Given) => {
  const { db, print } = console
  const {
    command,
    words: [name = '', value],
  } = given
  const account = await find(db, name)
  const { id } = account
  if (command === 'password') {
    const { password, shown } = await passwordFrom(console, given)
    await requireDifferent(account.paymentHash, password)
    const hash = await hashPassword(password, ofThisProcess)
    await db.transact(async (tx) => {
      await one(tx, sql`update accounts set password_hash = ${hash}, must_choose_password = true where id = ${id}`)
      await one(tx, endAll('password', id))
      await auditConsole(tx, 'password_changed', account)
    })
    return print(`${account.username} has a new password.${shown}`)
  }
  if (command === 'payment-password') {
    const { password, shown } = await passwordFrom(console, given)
    await requireDifferent(account.passwordHash, password)
    const hash = await hashPassword(password, ofThisProcess)
    await db.transact(async (tx) => {
      await one(
        tx,
        sql`update accounts set payment_password_hash = ${hash}, payment_failures = 0, payment_locked_until = null where id = ${id}`,
      )
      await auditConsole(tx, 'payment_password_changed', account, { set: true })
    })
    return print(`${account.username} has a new payment password.${shown}`)
  }
  if (command === 'withdraw-confirm') {
    const now = value === 'on' ? 1 : 0
    await db.transact(async (tx) => {
      await one(tx, sql`update accounts set withdraw_confirm = ${now} where id = ${id}`)
      if (now !== account.consent)
        await auditConsole(tx, 'withdraw_confirm_changed', account, { withdraw_confirm: [account.consent, now] })
    })
    return print(`Envelopes to ${account.username} ${value === 'on' ? 'need' : 'do not need'} consent.`)
  }
  if (command === 'freeze' && account.role === Role.admin && account.id === account.topId) {
    return fail('The top account cannot be frozen: nobody could unfreeze it.')
  }
  await db.transact(async (tx) => {
    await one(tx, sql`update accounts set status = ${command === 'freeze' ? 0 : 1} where id = ${id}`)
    if (command === 'freeze') await one(tx, endAll('frozen', id))
    const kind = command === 'freeze' ? 'account_frozen' : 'account_unfrozen'
    if (account.status !== (command === 'freeze' ? 0 : 1)) await auditConsole(tx, kind, account)
  })
  return print(`${account.username} is ${command === 'freeze' ? 'frozen; its sessions have ended' : 'active again'}.`)
}

const secondFactorOff = async ({ db, print }: Console, name: string) => {
  const account = await find(db, name)
  const { id, username } = account
  await db.transact(async (tx) => {
    const was = await one<{ authenticator: boolean; phone: boolean }>(
      tx,
      sql`delete from second_factors where account_id = ${id}
        returning totp_secret is not null as authenticator, phone is not null as phone`,
    )
    const passkeys = await many(tx, sql`delete from passkeys where account_id = ${id} returning 1 as removed`)
    await auditConsole(tx, 'second_factor_changed', account, {
      ...(was?.authenticator ? { authenticator: [true, false] } : {}),
      ...(was?.phone ? { phone: [true, false] } : {}),
      ...(passkeys.length ? { passkeys: [passkeys.length, 0] } : {}),
    })
    await one(tx, sql`delete from recovery_codes where account_id = ${id}`)
    await one(tx, sql`delete from challenges where account_id = ${id}`)
    // Its role may need a second factor: then the next sign-in sets one up.
    await one(tx, endAll('ended', id))
  })
  print(`${username} signs in with the password alone.`)
}

const fourEyesOff = async ({ db, print }: Console, name: string | undefined) => {
  const top = await one<{ id: number; topId: number; username: string; kinds: string[] }>(
    db,
    sql`select id, top_id as "topId", username, four_eyes as kinds from accounts
      where id = top_id and role_id = ${is.admin} and (${name ?? null}::text is null or lower(username) = lower(${name ?? ''}))
      order by id limit 1`,
  )
  if (!top) return fail(`There is no top account "${name ?? ''}". See: npm run account -- list`)
  await db.transact(async (tx) => {
    await one(tx, sql`update accounts set four_eyes = '{}' where id = ${top.id}`)
    await auditConsole(tx, 'settings_changed', top, { four_eyes: [top.kinds.join(', '), ''] })
  })
  print(`Below ${top.username} no change needs a second account any more.`)
}

const link = async ({ db, settings, print }: Console, kind: TokenKind, name: string) => {
  const { publicUrl, port } = settings
  const account = await find(db, name)
  if (kind === 'agent' && account.role === Role.member)
    return fail('A member has no back office: landing-token opens its page.')
  const token = await db.transact(async (tx) => {
    await auditConsole(tx, 'sign_in_link_made', account, { door: kind })
    return issueToken(tx, { kind, accountId: account.id })
  })
  print(addressOf(publicUrl ?? `http://localhost:${port}`, kind, token, account))
}

/** `npm run account`: adds, lists, changes and freezes accounts. */
export const account: Command = async (given, console) => {
  const {
    command,
    words: [name = ''],
    values,
  } = given
  try {
    if (command === 'add') await add(console, given)
    else if (command === 'list') await list(console, values)
    else if (command === 'check') return await check(console, given)
    else if (command === 'second-factor-off') await secondFactorOff(console, name)
    else if (command === 'four-eyes-off') await fourEyesOff(console, given.words[0])
    else if (command === 'agent-token') await link(console, 'agent', name)
    else if (command === 'landing-token') await link(console, 'landing', name)
    else await changeAccount(console, given)
  } catch (error) {
    if (error instanceof Refused) fail(wordsFor('en', error.refusal, error.data as Record<string, string>))
    throw error
  }
  return 0
}
