import { developing } from '../server/src/cli/development-table.mjs'
import { table } from '../server/src/cli/table.mjs'
import { markdownTable } from './markdown-table.ts'

type Word = { name: string; isOptional?: boolean; isRepeated?: boolean }
type Form = { help: string; words?: Word[]; options?: Record<string, unknown>; commands?: Record<string, Form> }

const typed = (name: string) => (name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`)

const shown = ({ name, isOptional, isRepeated }: Word) => {
  const word = isRepeated ? `${name}…` : name
  return isOptional ? `[${word}]` : word
}

const row = (name: string, command: string, { help, words = [] }: Form) => {
  const rest = [command, ...words.map(shown)].filter(Boolean).join(' ')
  const cell = `\`${typed(name)}${rest ? ` -- ${rest}` : ''}\``
  return [cell, help]
}

const rowsOf = (names: string[]) =>
  names.flatMap((name) => {
    const command = (table as Record<string, Form>)[name]
    if (!command) return []
    const parts = Object.entries(command.commands ?? {}).map(([part, form]) => row(name, part, form))
    return parts.length > 0 && !command.words ? parts : [row(name, '', command), ...parts]
  })

const tableOf = (rows: string[][]) => markdownTable(['Command', 'What it does'], rows)

/** docs/commands.md: every command with what it does. `--help` behind one prints its options. */
export const commandsPage = () => {
  const isForDevelopment = (name: string) => name in developing
  const names = Object.keys(table)
  return `# Commands

<!-- Written by \`npm run reference\` from server/src/cli/table.mjs. -->

\`-- --help\` behind a command prints its words and options and does nothing else. In an
[installation from the archive](guides/administrators.md#install) the commands for operating are typed
without it: \`tallyroom-do backup DIR\` for \`npm run backup -- DIR\`.

## Operate

${tableOf(rowsOf(names.filter((name) => !isForDevelopment(name))))}

## Develop

${tableOf(rowsOf(names.filter(isForDevelopment)))}
`
}
