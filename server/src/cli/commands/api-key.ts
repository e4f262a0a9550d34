import { MAX_NAME } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { audit, differencesOf } from '../../identity/audit.ts'
import { type Database, one, sql, type Tx } from '../../data/sql.ts'
import { loadKey } from '../../data/installation-key.ts'
import { apiKeyCalls } from '@tallyroom/contract/calls/office/api-key'
import { apiDates } from '@tallyroom/contract/api/dates'
import { apiRights } from '@tallyroom/contract/api/rights'
import {
  type KeyTerms,
  listApiKeys,
  lockTerms,
  makeApiKey,
  revokeApiKey,
  rotateApiKey,
  saveTerms,
  termFacts,
} from '../../accounts/api-keys.ts'
import { emptySandbox, openSandbox } from '../../accounts/sandbox.ts'
import { eraseEmptied } from '../../retention/sandboxes.ts'
import type { Settings } from '../../config/settings.ts'
import { isSandbox } from '../../domain/sandboxes.ts'
import { isNetwork } from '../../lib/address.ts'
import { StartError } from '../../lib/start-error.ts'
import type { Command } from './command.ts'

const Terms = apiKeyCalls['apiKey/set'].request.pick({
  rights: true,
  addresses: true,
  expires_on: true,
  per_second: true,
  version: true,
})
type Top = { id: number; topId: number; name: string }

const fail = (line: string): never => {
  throw new StartError(line)
}

const topOf = async (db: Database, name: string) =>
  (await one<Top>(
    db,
    sql`select id, top_id as "topId", username as name from accounts where lower(username) = lower(${name}) and id = top_id and not ${isSandbox(sql`id`)}`,
  )) ?? fail(`There is no top account "${name}".`)

/** The value of an option that takes the term away. */
const NONE = 'none'

/** The terms of these options; without an option, as before. */
const termsFrom = (before: KeyTerms, values: Record<string, string>): KeyTerms => {
  const listOf = (text: string | undefined) => text?.split(/[\s,]+/).filter((one) => one !== '' && one !== NONE)
  const { rights, addresses, expires, 'per-second': perSecond, form } = values
  const asked = {
    rights: listOf(rights) ?? before.rights,
    addresses: listOf(addresses) ?? before.addresses,
    expires_on: expires === undefined ? before.expires_on : expires === NONE ? null : expires,
    per_second: perSecond === undefined ? before.per_second : perSecond === NONE ? null : Number(perSecond),
    version: form === undefined ? before.version : form === NONE ? null : form,
  }
  const { success, data, error } = Terms.safeParse(asked)
  if (success) return data
  const field = String(error.issues[0]?.path[0])
  if (field === 'version') return fail(`The dates are ${apiDates.join(', ')}.`)
  return fail(
    field === 'rights'
      ? `The rights are ${apiRights.join(', ')}.`
      : `"${values[optionOf[field] ?? ''] ?? ''}" is not right for --${optionOf[field]}.`,
  )
}
const optionOf: Record<string, string> = { addresses: 'addresses', expires_on: 'expires', per_second: 'per-second' }

const setTerms = async (tx: Tx, settings: Settings, id: string, values: Record<string, string>, top: Top) => {
  const before =
    (await lockTerms(tx, top.id, id, settings.timeZone)) ??
    fail(`"${id}" is not a valid key of ${top.name}. See: npm run api-key -- list ${top.name}`)
  const after = termsFrom(before, values)
  const address = after.addresses.find((one) => !isNetwork(one))
  if (address !== undefined) return fail(`"${address}" is not an address or a network such as 203.0.113.0/24.`)
  const differences = differencesOf(termFacts(before), termFacts(after))
  if (Object.keys(differences).length === 0) return after
  await saveTerms(tx, id, after, settings.timeZone)
  await audit(tx, {}, 'api_key_changed', top, { api_key: id, ...differences, by: 'console' })
  return after
}

const describe = ({ rights, addresses, expires_on, per_second, version }: KeyTerms): string =>
  [
    rights.join(', ') || 'no rights',
    addresses.length > 0 ? `from ${addresses.join(', ')}` : '',
    expires_on ? `until ${expires_on}` : '',
    per_second ? `${per_second} a second` : '',
    version ? `form ${version}` : '',
  ]
    .filter(Boolean)
    .join('; ')

/** `npm run api-key`: lists, adds, changes, rotates and revokes keys of the member API, and empties its sandbox. */
export const apiKey: Command = async (
  { command, words: [name = '', third = ''], flags, values },
  { db, settings, print },
) => {
  const top = await topOf(db, name)
  if (command === 'list') {
    const keys = await listApiKeys(db, top.id, settings.timeZone)
    if (flags.json) {
      print(JSON.stringify(keys))
      return 0
    }
    for (const { id, label, active, signs_webhooks, is_sandbox, used_at, days, ...terms } of keys) {
      print(
        `${id}  ${active ? 'active ' : 'revoked'}  ${label}${signs_webhooks ? '  (signs webhooks)' : ''}${is_sandbox ? '  SANDBOX' : ''}`,
      )
      if (!active) continue
      const [calls, refused] = [days.reduce((n, day) => n + day.calls, 0), days.reduce((n, day) => n + day.refused, 0)]
      print(`    ${describe(terms)}`)
      print(`    ${used_at ? `last used ${used_at}` : 'not used yet'}; in 30 days ${calls} calls, ${refused} refused`)
    }
    return 0
  }
  if (command === 'empty') {
    // Sessions are looked up with each call; only their open sockets last a little longer.
    const isEmptied = await db.transact((tx) =>
      emptySandbox(tx, { endSessions: () => {} }, {}, top.id, { by: 'console' }),
    )
    if (!isEmptied)
      return fail(`${name} has no sandbox. Make one with its first key: npm run api-key -- add ${name} --sandbox`)
    await eraseEmptied({ db, settings })
    print(`The sandbox of ${name} is empty.`)
    return 0
  }
  const key = await loadKey(db, settings)
  const changeKeys = async (tx: Tx): Promise<void> => {
    if (command === 'set') {
      print(`${third}: ${describe(await setTerms(tx, settings, third, values, top))}`)
      return
    }
    if (command === 'revoke') {
      if (!(await revokeApiKey(tx, top.id, third)))
        return fail(`"${third}" is not a valid key of ${name}. See: npm run api-key -- list ${name}`)
      await audit(tx, {}, 'api_key_changed', top, { api_key: third, set: false, by: 'console' })
      print(`${third} is revoked.`)
      return
    }
    const made =
      command === 'add'
        ? flags.sandbox
          ? await makeApiKey(tx, key, await openSandbox(tx, top.id), cutText(third, MAX_NAME), 'tks')
          : await makeApiKey(tx, key, top.id, cutText(third, MAX_NAME))
        : ((await rotateApiKey(tx, key, top.id, third)) ??
          fail(`"${third}" is not a valid key of ${name}. See: npm run api-key -- list ${name}`))
    await audit(tx, {}, 'api_key_changed', top, {
      api_key: command === 'add' ? made.id : [third, made.id],
      by: 'console',
    })
    const terms = await setTerms(tx, settings, made.id, values, top)
    print(`Key: ${made.id}\nSecret (shown this once): ${made.secret}`)
    if (terms.rights.length === 0)
      print(`It may do nothing yet: npm run api-key -- set ${name} ${made.id} --rights ${apiRights.join(',')}`)
  }
  await db.transact(changeKeys)
  return 0
}
