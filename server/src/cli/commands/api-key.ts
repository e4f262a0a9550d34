import { MAX_NAME } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { audit } from '../../identity/audit.ts'
import { type Database, one, sql, type Tx } from '../../data/sql.ts'
import { loadKey } from '../../data/installation-key.ts'
import { listApiKeys, makeApiKey, revokeApiKey, rotateApiKey } from '../../identity/api-keys.ts'
import { StartError } from '../../lib/start-error.ts'
import type { Command } from './command.ts'

const fail = (line: string): never => {
  throw new StartError(line)
}

const topOf = async (db: Database, name: string) =>
  (await one<{ id: number; topId: number }>(
    db,
    sql`select id, top_id as "topId" from accounts where lower(username) = lower(${name}) and id = top_id`,
  )) ?? fail(`There is no top account "${name}".`)

/** `npm run api-key`: lists, adds, rotates and revokes keys of the member API. */
export const apiKey: Command = async ({ command, words: [name = '', third = ''], flags }, { db, settings, print }) => {
  const top = await topOf(db, name)
  if (command === 'list') {
    const keys = await listApiKeys(db, top.id)
    if (flags.json) {
      print(JSON.stringify(keys))
      return 0
    }
    for (const { id, label, active, signs_webhooks } of keys)
      print(`${id}  ${active ? 'active ' : 'revoked'}  ${label}${signs_webhooks ? '  (signs webhooks)' : ''}`)
    return 0
  }
  const key = await loadKey(db, settings)
  const changeKeys = async (tx: Tx): Promise<void> => {
    if (command === 'revoke') {
      if (!(await revokeApiKey(tx, top.id, third)))
        return fail(`"${third}" is not a valid key of ${name}. See: npm run api-key -- list ${name}`)
      await audit(tx, {}, 'api_key_changed', top, { api_key: third, set: false, by: 'console' })
      print(`${third} is revoked.`)
      return
    }
    const made =
      command === 'add'
        ? await makeApiKey(tx, key, top.id, cutText(third, MAX_NAME), { onlyWebhooks: flags['only-webhooks'] === true })
        : ((await rotateApiKey(tx, key, top.id, third)) ??
          fail(`"${third}" is not a valid key of ${name}. See: npm run api-key -- list ${name}`))
    await audit(tx, {}, 'api_key_changed', top, {
      api_key: command === 'add' ? made.id : [third, made.id],
      by: 'console',
    })
    print(`Key: ${made.id}\nSecret (shown this once): ${made.secret}`)
  }
  await db.transact(changeKeys)
  return 0
}
