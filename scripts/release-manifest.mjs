/** The commands of server/src/cli, by the names that `npm run` has for them. */
export const commandsOf = ({ scripts }) =>
  Object.keys(scripts).filter((name) => scripts[name].startsWith('node scripts/run.mjs '))

/** package.json of a release: it has no `scripts/`, so its own program runs the commands, and nothing is built. */
export const releaseManifest = ({ scripts, ...rest }) => ({
  ...rest,
  scripts: {
    start: 'exec ./tallyroom',
    ...Object.fromEntries(commandsOf({ scripts }).map((name) => [name, `./tallyroom ${name}`])),
  },
})
