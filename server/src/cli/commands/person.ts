import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeDirectory } from '@tallyroom/postgres/data-dir'
import { type Database, one, type Row, sql } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import { StartError } from '../../lib/start-error.ts'
import { wordsFor } from '../../lib/words.ts'
import { deleteNoted } from '../../data/media/deletions.ts'
import { openMediaStores } from '../../data/media/stores.ts'
import { exportPerson } from '../../retention/export.ts'
import { erasedName, erasePerson, type Person } from '../../retention/person.ts'
import type { Command, Console } from './command.ts'

const fail = (line: string): never => {
  throw new StartError(line)
}

const findPerson = async (db: Database, name: string): Promise<Person> => {
  const found = await one<Person & Row & { role: number }>(
    db,
    sql`select id, top_id as "topId", username as name, role_id as role from accounts where lower(username) = lower(${name})`,
  )
  if (!found) return fail(`There is no account "${name}". See: npm run account -- list`)
  if (found.role !== 4) return fail(`${found.name} works in the office. Only members can be exported or erased.`)
  return found
}

const makeExportDirectory = async (directory: string) => {
  try {
    makeDirectory(dirname(resolve(directory)), 0o700)
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    const { code, path = directory } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return fail(`${directory} exists already. Name a directory that does not exist yet.`)
    return fail(`${path} cannot be made (${code}).`)
  }
}

const exportTo = async ({ db, settings, print }: Console, name: string, directory: string) => {
  const { id } = await findPerson(db, name)
  await makeExportDirectory(directory)
  const missing: string[] = []
  let written = 0
  const { all: store } = await openMediaStores(settings)
  const files = exportPerson(db, { id, store, onMissing: (file) => void missing.push(file) })
  for await (const file of files) {
    await pipeline(Readable.from(file.content), createWriteStream(join(directory, file.name), { mode: 0o600 }))
    written++
  }
  print(`Wrote ${directory}/person.json and ${written - 1} files.`)
  if (missing.length) print(`Lost, because they are stored nowhere: ${missing.join(', ')}`)
}

const erase = async ({ db, settings, print }: Console, name: string, again: string | undefined) => {
  const person = await findPerson(db, name)
  if (again !== person.name)
    return fail(`This cannot be undone. To go on: npm run person -- erase ${person.name} --again ${person.name}`)
  const files = await db
    .transact((tx) => erasePerson(tx, {}, person, settings.timeZone, { by: 'console' }))
    .catch((error: unknown) => {
      throw error instanceof Refused
        ? new StartError(
            wordsFor('en', error.refusal, {
              name: person.name,
              count: Number(error.data.count ?? 0),
            }),
          )
        : error
    })
  const { all: store } = await openMediaStores(settings)
  const left = await deleteNoted(db, store, files).then(
    () => undefined,
    (error: Error) => error.message,
  )
  print(
    `${person.name} is erased: its account is "${erasedName(person.id)}" now, and ${files.length} files ${left ? 'will be' : 'are'} deleted.`,
  )
  if (left) print(`Some files could not be deleted yet (${left}). The server tries again each hour.`)
  print('Backups and archived logs made until now still hold it: delete them when their time is over.')
}

/** `npm run person`: exports and erases a member. */
export const person: Command = async ({ command, words: [name = '', directory = ''], values }, console) => {
  if (command === 'export') await exportTo(console, name, directory)
  else await erase(console, name, values.again)
  return 0
}
