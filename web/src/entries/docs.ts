import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { startTheme } from '../theme/theme.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'
import './docs.css'

/**
 * The script of the pages below /docs, which `scripts/site` makes. It runs in their head, before anything is drawn, so that
 * the theme of the back office is there from the first paint. Without it the pages only lack the theme and the search.
 */
const page = document.documentElement
startTheme()
withholdComposedKeys()

const MAX_FOUND = 12
/** Characters of a text around what was found. */
const AROUND = 60
type Row = [address: string, page: string, heading: string, text: string]
/** Its heading, its heading below its page's, and all its texts, folded once. */
type Part = { row: Row; folded: readonly [string, string, string] }
const partOf = (row: Row): Part => {
  const [, title, heading, text] = row
  return { row, folded: [fold(heading), fold(`${title} ${heading}`), fold(`${title} ${heading} ${text}`)] }
}

/** All parts of the pages that have every word, those with the words in their headings first. */
const find = (parts: Part[], typed: string): Row[] => {
  const words = foldWanted(typed).split(' ').filter(Boolean)
  const hasAll = (text: string) => words.every((word) => text.includes(word))
  if (words.length === 0) return []
  return parts
    .map(({ row, folded }) => ({ row, rank: folded.findIndex(hasAll) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND)
    .map(({ row }) => row)
}

const excerptOf = (text: string, typed: string) => {
  const at = fold(text).indexOf(foldWanted(typed).split(' ')[0] ?? '')
  const from = Math.max(0, at - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, Math.max(0, at) + 2 * AROUND)}${text.length > at + 2 * AROUND ? '…' : ''}`
}

const make = <K extends keyof HTMLElementTagNameMap>(name: K, text: string) => {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

let loading: Promise<Part[]> | undefined
const loadRows = () => {
  loading ??= fetch(`${page.dataset.root ?? ''}search.json`).then(async (answer) =>
    ((await answer.json()) as Row[]).map(partOf),
  )
  // The next letter tries again.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

const startSearch = () => {
  const box = document.querySelector<HTMLElement>('.docs-search')
  const input = box?.querySelector('input')
  const found = box?.querySelector<HTMLElement>('.docs-found')
  const status = found?.querySelector('p')
  const list = found?.querySelector('ul')
  if (!box || !input || !found || !status || !list) return
  box.hidden = false
  const close = () => {
    found.hidden = true
  }
  const show = async () => {
    const typed = input.value.trim()
    if (!typed) return close()
    const rows = await loadRows().catch(() => undefined)
    // Something else was typed while they were loaded.
    if (input.value.trim() !== typed) return
    const hits = rows ? find(rows, typed) : []
    status.textContent = rows
      ? hits.length > 0
        ? ''
        : `Nothing found for “${typed}”.`
      : 'The search could not be loaded.'
    list.replaceChildren(
      ...hits.map(([address, title, heading, text]) => {
        const link = document.createElement('a')
        link.href = `${page.dataset.root ?? ''}${address}`
        link.append(make('b', heading), make('span', title), make('small', excerptOf(text, typed)))
        const item = document.createElement('li')
        item.append(link)
        return item
      }),
    )
    found.hidden = false
  }
  input.addEventListener('input', () => void show())
  input.addEventListener('focus', () => void loadRows().catch(() => undefined))
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')]
    const at = links.findIndex((link) => link === document.activeElement)
    if (event.key === 'Escape') {
      input.focus()
      close()
    } else if (event.key === 'Enter' && event.target === input) links[0]?.click()
    else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0] ?? input).focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input)?.focus()
    else return
    event.preventDefault()
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close()
  })
  // A chosen part of the same page leaves this page open.
  list.addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || document.activeElement === input) return
    event.preventDefault()
    input.focus()
  })
}
document.addEventListener('DOMContentLoaded', startSearch)
