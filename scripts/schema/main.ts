import { argumentsOf } from '../../server/src/cli/arguments.mjs'
import { main, Stop } from '../shell.mjs'
import { checkSql } from './check.ts'
import { withSchema } from './database.ts'
import { writeSchema } from './written.ts'

// `npm run schema` writes server/schema/ from the migrations; with `--check` it compares the queries with them.

/** Of the queries: the others are put together so that the source does not tell their text. */
const LEAST_CHECKED = 0.9

const check = async (namesUnchecked: boolean) => {
  const { count, checked, broken, unchecked } = await checkSql()
  for (const { location, message } of broken) console.log(`${location} ${message}`)
  const isTooFew = checked < count * LEAST_CHECKED
  if (namesUnchecked || isTooFew)
    for (const { location, message } of unchecked) console.log(`not checked: ${location} ${message}`)
  console.log(`${checked} of ${count} queries prepared, ${broken.length} wrong`)
  if (isTooFew) throw new Stop('Too few queries can be checked: write those that are new as one template each.')
  if (broken.length > 0) process.exitCode = 1
}

await main(async () => {
  const { flags } = argumentsOf('schema')
  await (flags.check ? check(flags.all === true) : withSchema(writeSchema))
})
