// Whole, because an old Node has no parseArgs, and should be told so in a sentence.
import util from 'node:util'
import { version } from '../lib/version.mjs'
import { table } from './table.mjs'

/**
 * @typedef {import('./table.mjs').Form} Form
 * @typedef {import('./table.mjs').Word} Word
 * @typedef {{ command: string, words: string[], values: Record<string, string>, flags: Record<string, boolean> }} Given
 * What was typed: the command below the name (such as add of account), its words, and its options.
 * @typedef {{ given: Given } | { code: 0 | 1 | 2, text: string }} Parsed Runs with what was given, or prints the text and ends.
 */

/** A release has a program of its own (deploy/tallyroom) and needs no npm. */
const releaseProgram = process.env.TALLYROOM_PROGRAM
/** The commands of this installation: a release has those with a program. */
const known = Object.keys(table).filter((name) => !releaseProgram || table[name].program)

/** A command as the operator types it. */
const typed = (/** @type {string} */ name, /** @type {string[]} */ ...rest) => {
  const words = rest.filter(Boolean).join(' ')
  if (releaseProgram) return [releaseProgram, name, words].filter(Boolean).join(' ')
  const npm = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`
  return words ? `${npm} -- ${words}` : npm
}

const OLDEST = [20, 19]

/** What is wrong with this Node; undefined: nothing. */
export const nodeComplaint = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined
  return `Tallyroom needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}. Get one at https://nodejs.org`
}

/** Levenshtein's distance, with a swap of neighbours as one change. */
const distance = (/** @type {string} */ a, /** @type {string} */ b) => {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i][j] = isSwap ? Math.min(least, rows[i - 2][j - 2] + 1) : least
    }
  }
  return rows[a.length][b.length]
}

/** ` Did you mean …?` with the name that is most alike, if one is. */
const suggestion = (
  /** @type {string} */ word,
  /** @type {string[]} */ names,
  shown = (/** @type {string} */ name) => name,
) => {
  const [nearest] = names
    .map((name) => ({ name, changes: name.startsWith(word) && word ? 1 : distance(word, name) }))
    .sort((a, b) => a.changes - b.changes)
  return nearest && nearest.changes <= Math.max(2, nearest.name.length / 3)
    ? ` Did you mean ${shown(nearest.name)}?`
    : ''
}

const usageOf = (/** @type {string} */ name, /** @type {string} */ command, /** @type {Form} */ form) => {
  const words = (form.words ?? []).map((word) => {
    const shown = word.isRepeated ? `${word.name}…` : word.name
    return word.isOptional ? `[${shown}]` : shown
  })
  const options = Object.entries(form.options ?? {}).map(
    ([option, { value }]) => `[--${option}${value ? ` ${value}` : ''}]`,
  )
  return typed(name, command, ...words, ...(options.length > 3 ? ['[OPTION…]'] : options))
}

/** Rows of two columns, the second one wrapped by the terminal. */
const rowsOf = (/** @type {[string, string][]} */ rows) => {
  const width = Math.min(30, Math.max(0, ...rows.map(([left]) => left.length)))
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  )
}

const helpOf = (/** @type {string} */ name, /** @type {string} */ command, /** @type {Form} */ form) => {
  const { commands, words = [], options = {}, notes, passesOn } = /** @type {import('./table.mjs').Command} */ (form)
  const isAlone = !commands || form.words !== undefined
  const lines = [
    ...(isAlone ? [usageOf(name, command, form) + (passesOn ? ' [-- WORD…]' : '')] : []),
    ...(commands ? [typed(name, 'COMMAND')] : []),
    '',
    command ? `${form.help.charAt(0).toUpperCase()}${form.help.slice(1)}.` : form.help,
  ]
  if (passesOn) lines.push(`Other words and options go to ${passesOn}.`)
  const parts = rowsOf([
    ...Object.entries(commands ?? {}).map(
      ([sub, { help, words = [] }]) =>
        /** @type {[string, string]} */ ([[sub, ...words.map((word) => word.name)].join(' '), help]),
    ),
    ...words.map((word) => /** @type {[string, string]} */ ([word.name, word.help])),
    ...Object.entries(options).map(
      ([option, { help, value }]) => /** @type {[string, string]} */ ([`--${option}${value ? ` ${value}` : ''}`, help]),
    ),
    ['--help', commands ? `this; after a COMMAND, its options` : 'this'],
  ])
  lines.push('', ...parts)
  if (notes) lines.push('', notes)
  return lines.join('\n')
}

/** All commands, each with one line. */
const overview = () =>
  [
    releaseProgram ? `${releaseProgram} [COMMAND …]    without a command it starts the server` : 'npm run COMMAND -- …',
    '',
    ...rowsOf(known.map((name) => [name, table[name].help])),
    '',
    `${typed('COMMAND', '--help')} says more of one.`,
  ].join('\n')

const versionText = () => `Tallyroom ${version}, Node ${process.versions.node}`

/** @returns {Parsed} */
const misuse = (/** @type {string} */ text) => ({ code: 2, text })

const typesOf = (/** @type {Form} */ form) =>
  Object.fromEntries(
    Object.entries(form.options ?? {}).map(([name, { value }]) => [
      name,
      { type: /** @type {'string' | 'boolean'} */ (value ? 'string' : 'boolean') },
    ]),
  )

/** An option as programs for text write it: of two hyphens they make a dash. */
const DASHED = /^[\u2010-\u2015\u2212]+-?(?<name>[a-z][a-z-]*)(=|$)/i

/** What is wrong with the words; undefined: nothing. */
const complaintOf = (/** @type {Form} */ form, /** @type {string[]} */ given) => {
  const words = form.words ?? []
  const missing = words.find((word, at) => !word.isOptional && given[at] === undefined)
  if (missing) return `${missing.name} is missing: ${missing.help}.`
  const stray = words.some((word) => word.isRepeated) ? undefined : given[words.length]
  if (stray !== undefined) return `"${stray}" is too much.`
  for (const [at, word] of given.entries()) {
    const { name, pattern, example } = /** @type {Word} */ (words[at] ?? words.at(-1))
    // A variable of the shell that is not set.
    if (word === '') return `${name} is empty.`
    if (pattern && !pattern.test(word)) return `"${word}" cannot be ${name}, which is like ${example}.`
  }
  return undefined
}

/**
 * Reads the words behind the name of a command, strictly: what the table does not declare is refused.
 *
 * @param {string} name of the table
 * @param {string[]} args
 * @returns {Parsed}
 */
export const parse = (name, args) => {
  const entry = table[name]
  const { commands = {}, passesOn } = entry
  const asked = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined)
  if (asked.includes('--version')) return { code: 0, text: versionText() }
  const isHelp = asked.includes('--help') || asked.includes('-h')
  if (passesOn) {
    if (isHelp) return { code: 0, text: helpOf(name, '', entry) }
    return { given: { command: '', words: args, values: {}, flags: {} } }
  }
  // The options of all its commands count here: the word that chooses one may follow an option with its value.
  const all = Object.assign({}, typesOf(entry), ...Object.values(commands).map(typesOf))
  const { tokens } = util.parseArgs({ args, options: all, allowPositionals: true, strict: false, tokens: true })
  const [first] = tokens.filter(({ kind }) => kind === 'positional').map((token) => 'value' in token && token.value)
  const command = first && Object.hasOwn(commands, first) ? first : ''
  const form = command ? /** @type {Form} */ (commands[command]) : entry
  if (isHelp) return { code: 0, text: helpOf(name, command, form) }
  const more = `See ${typed(name, command, '--help')}`

  const noOption = (
    /** @type {{ name: string, rawName: string }} */ { name: option, rawName },
    /** @type {string[]} */ names,
  ) =>
    misuse(
      `${typed(name, command)} has no option ${rawName}.${suggestion(option, names, (near) => `--${near}`)} ${more}`,
    )
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(all, token.name))
  if (unknown?.kind === 'option') return noOption(unknown, Object.keys(command ? (form.options ?? {}) : all))
  if (!command && Object.keys(commands).length > 0 && !(entry.words && first === undefined))
    return misuse(
      first === undefined
        ? helpOf(name, '', entry)
        : `There is no command "${name} ${first}".${suggestion(String(first), Object.keys(commands), (near) => typed(name, near))} ${more}`,
    )
  const options = form.options ?? {}
  /** @type {Given} */
  const given = { command, words: [], values: {}, flags: {} }
  const end = tokens.findIndex(({ kind }) => kind === 'option-terminator')
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      const dashed = end < 0 || at < end ? DASHED.exec(token.value)?.groups?.name : undefined
      if (dashed !== undefined)
        return misuse(`${token.value} begins with a dash. Options begin with two hyphens: --${dashed}. ${more}`)
      given.words.push(token.value)
    }
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) return noOption(token, Object.keys(options))
    if (token.name in given.values || token.name in given.flags)
      return misuse(`${token.rawName} is given twice. ${more}`)
    if (!option.value && token.value !== undefined) return misuse(`${token.rawName} takes no value. ${more}`)
    if (!option.value) given.flags[token.name] = true
    // A value with a dash is rather an option whose own value was forgotten.
    else if (!token.value || (!token.inlineValue && token.value.startsWith('-')))
      return misuse(`${token.rawName} needs a value, such as ${token.rawName}=${option.value}. ${more}`)
    else given.values[token.name] = token.value
  }
  if (command) given.words.shift()
  const complaint = complaintOf(form, given.words)
  return complaint ? misuse(`${complaint} Usage: ${usageOf(name, command, form)}`) : { given }
}

/**
 * Reads a whole command line, beginning with the name of a command.
 *
 * @param {string[]} args
 * @returns {{ name: string, args: string[] } | { code: 0 | 1 | 2, text: string }}
 */
export const chosen = ([first, ...rest]) => {
  const complaint = nodeComplaint()
  if (complaint) return { code: 1, text: complaint }
  if (first === undefined || first === 'help' || first === '--help' || first === '-h')
    return { code: 0, text: overview() }
  if (first === '--version') return { code: 0, text: versionText() }
  if (!known.includes(first))
    return misuse(`There is no command "${first}".${suggestion(first, known, typed)} There are: ${known.join(', ')}.`)
  const parsed = parse(first, rest)
  return 'given' in parsed ? { name: first, args: rest } : parsed
}

/** Prints the text of what is not run, and ends the process with its code. */
export const printAndExit = (/** @type {{ code: 0 | 1 | 2, text: string }} */ { code, text }) => {
  ;(code === 0 ? process.stdout : process.stderr).write(`${text}\n`)
  process.exit(code)
}

/** What a program was given on its command line. Prints help or a complaint and ends the process instead of returning. */
export const argumentsOf = (/** @type {string} */ name, args = process.argv.slice(2)) => {
  const parsed = parse(name, args)
  return 'given' in parsed ? parsed.given : printAndExit(parsed)
}
