import { entryOf, type Mark, spliced, type Table } from './tables.ts'

/** The text of a key, or its plural forms, of which `other` always exists. */
export type Text = string | ({ other: string } & Record<string, string>)

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']
const quote = (text: string) =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
const written = (text: Text) =>
  typeof text === 'string'
    ? quote(text)
    : `{ ${FORMS.flatMap((form) => (text[form] === undefined ? [] : [`${form}: ${quote(text[form])}`])).join(', ')} }`
const line = (key: string, value: string, mark?: Mark) =>
  `  ${/^\w+$/.test(key) ? key : quote(key)}: ${value},${mark ? ` // ${mark}` : ''}\n`

/** The forms of a plural in a language, beside `other`. */
const formsIn = (language: string) => {
  const categories: string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return FORMS.filter((form) => form !== 'other' && categories.includes(form))
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ')
const textIn = (table: Table, key: string) => {
  const value = entryOf(table, key)?.value
  return value ? table.source.slice(value.start, value.end) : ''
}
const mustHave = (table: Table, key: string) => {
  const entry = entryOf(table, key)
  if (!entry) throw new Error(`${table.path} has no key '${key}'. Add it with: npm run words -- add ${key} "English"`)
  return entry
}
const mustBeFree = (tables: Table[], key: string) => {
  if (!/^[a-z_]+(\.\w+)*$/.test(key))
    throw new Error(`'${key}' is not a key. Write it like 'room.new_message': small letters, digits, _ and dots.`)
  const taken = tables.find((table) => entryOf(table, key))
  if (taken) throw new Error(`${taken.path} already has '${key}'. Change it with: npm run words -- set ${key} en "…"`)
}

/** The key after which a new one goes: the last with the same prefix up to its last dot, or up to its first. */
const neighbour = ({ entries }: Table, key: string) => {
  const last = (start: string) => entries.findLast((entry) => entry.key.startsWith(start))?.key
  return last(key.slice(0, key.lastIndexOf('.') + 1) || key) ?? last(`${key.split('.')[0]}.`) ?? entries.at(-1)?.key
}

const replaced = (table: Table, key: string, value: string, mark?: Mark) => {
  const { start, end } = mustHave(table, key)
  return spliced(table, start, end, line(key, value, mark))
}

/** Adds a key to all tables, after `after` or the last of its group. All but English get the English text and a mark. */
export const add = (tables: Table[], key: string, text: Text, after?: string): Table[] => {
  mustBeFree(tables, key)
  const english = tables.find(({ language }) => language === 'en')
  const before = after ?? (english && neighbour(english, key))
  return tables.map((table) => {
    const { end } = mustHave(table, before ?? '')
    return spliced(table, end, end, line(key, written(text), table === english ? undefined : 'untranslated'))
  })
}

/** The forms that a translation needs beside its text: none unless the English text is a plural. */
const formsNeeded = (tables: Table[], key: string, language: string): string[] => {
  const english = tables.find((table) => table.language === 'en')
  return english && textIn(english, key).startsWith('{') ? formsIn(language) : []
}

/** What a translator types. */
const setCommand = (tables: Table[], key: string, language: string): string =>
  [
    `npm run words -- set ${key} ${language} "…"`,
    ...formsNeeded(tables, key, language).map((form) => `--${form} "…"`),
  ].join(' ')

/**
 * A new English text marks the translations as outdated. It replaces those that are still English, and those that cannot
 * be shown with it: another placeholder, or a plural where there was none.
 */
export const set = (tables: Table[], key: string, language: string, text: Text): Table[] => {
  const table = tables.find((each) => each.language === language)
  const english = tables.find((each) => each.language === 'en')
  if (!table || !english) throw new Error(`There is no locales/${language}.ts.`)
  mustHave(table, key)
  if (language !== 'en') {
    const [wanted, found] = [placeholders(textIn(english, key)), placeholders(written(text))]
    if (wanted !== found)
      throw new Error(`'${key}' needs ${wanted || 'no placeholder'}, and this text has ${found || 'none'}.`)
    const needed = formsNeeded(tables, key, language)
    const given = typeof text === 'string' ? [] : FORMS.filter((form) => form !== 'other' && form in text)
    if (needed.join() !== given.join())
      throw new Error(`These plural forms do not fit ${language}. Write: ${setCommand(tables, key, language)}`)
    // A plural of one form is still a plural.
    const isPlural = textIn(english, key).startsWith('{')
    const value = written(isPlural && typeof text === 'string' ? { other: text } : text)
    return tables.map((each) => (each === table ? replaced(each, key, value) : each))
  }
  const shape = (value: string) => `${value.startsWith('{')} ${placeholders(value)}`
  return tables.map((each) => {
    if (each === english) return replaced(each, key, written(text))
    const isStillShown =
      mustHave(each, key).mark !== 'untranslated' && shape(textIn(each, key)) === shape(written(text))
    return isStillShown
      ? replaced(each, key, textIn(each, key), 'outdated')
      : replaced(each, key, written(text), 'untranslated')
  })
}

/** Confirms a translation although the English text has changed. */
export const keep = (tables: Table[], key: string, language: string): Table[] =>
  tables.map((each) => (each.language === language ? replaced(each, key, textIn(each, key)) : each))

export const rename = (tables: Table[], key: string, next: string): Table[] => {
  mustBeFree(tables, next)
  return tables.map((table) => {
    const { start, end, mark } = mustHave(table, key)
    return spliced(table, start, end, line(next, textIn(table, key), mark))
  })
}

export const remove = (tables: Table[], key: string): Table[] =>
  tables.map((table) => {
    const { start, end } = mustHave(table, key)
    return spliced(table, start, end, '')
  })

/** The keys of each language that need a translator, and the command that sets each. */
export const waiting = (tables: Table[]): { language: string; key: string; mark: Mark; command: string }[] =>
  tables.flatMap(({ language, entries }) =>
    entries.flatMap(({ key, mark }) =>
      mark ? [{ language, key, mark, command: setCommand(tables, key, language) }] : [],
    ),
  )
