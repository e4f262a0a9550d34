import { argumentsOf } from '../../server/src/cli/arguments.mjs'
import { words } from './words.ts'

try {
  const said = words(argumentsOf('words'))
  console.log(said)
  // So that `npm run words -- check` can stop a release.
  if (said.includes("' is untranslated.") || said.includes("' is outdated.")) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
