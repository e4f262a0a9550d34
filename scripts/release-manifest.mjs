import { table } from '../server/src/cli/table.mjs'

/** What a release runs beside the server, by the names that `npm run` has for them. */
export const releaseCommands = Object.keys(table).filter((name) => name !== 'start' && table[name].program)

/**
 * package.json of a release: it has no `scripts/`, so its own program runs the commands, and nothing is built, so it names no
 * packages for that.
 */
export const releaseManifest = ({ scripts: _, devDependencies: __, ...rest }) => ({
  ...rest,
  scripts: {
    start: 'exec ./tallyroom',
    ...Object.fromEntries(releaseCommands.map((name) => [name, `./tallyroom ${name}`])),
  },
})
