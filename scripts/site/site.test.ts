import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../shell.mjs'
import { buildSite } from './build-site.mjs'
import { render } from './markdown.mjs'
import { addresses } from './pages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-guides-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (address: string) => readFileSync(join(folder, address), 'utf8')
let pages: [address: string, html: string][] = []
beforeAll(async () => {
  await buildSite(folder)
  pages = [...addresses.values()].map((address) => [address, read(address)])
})

/** Everything that a page loads or leads to. */
const linksOf = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)

test('[RUN-15] every link of a page leads to a file of the site, and to a heading in it', () => {
  const broken = pages.flatMap(([address, html]) =>
    linksOf(html).flatMap((link) => {
      if (/^https?:/.test(link) || link === '/icon.svg') return []
      const [file = '', anchor] = link.split('#')
      const to = file === '' ? address : normalize(join(dirname(address), file))
      if (!existsSync(join(folder, to))) return [`${address} leads to ${link}, which is not there`]
      return anchor && !read(to).includes(` id="${anchor}"`) ? [`${address} leads to ${link}: no such heading`] : []
    }),
  )
  expect(broken).toEqual([])
})

test('[RUN-15] [S17] a page has no script and no style of its own, and loads nothing from elsewhere', () => {
  const wrong = pages.flatMap(([address, html]) =>
    [
      ...(html.match(/<script(?! src="[./]*docs\.js")[^>]*>/g) ?? []),
      ...(html.match(/<style|<[^>]* (?:style|on\w+)=|<iframe|<base/g) ?? []),
      ...[...html.matchAll(/<(?:img|script|link)[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*"/g)].map(([tag]) => tag),
    ].map((tag) => `${address} has ${tag}`),
  )
  expect(wrong).toEqual([])
})

test('[RUN-15] every guide is a page, and its menu says where the reader is', () => {
  const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
  expect(guides.filter((path) => !addresses.has(path))).toEqual([])
  for (const [address, html] of pages.filter(([address]) => address !== 'index.html'))
    expect([address, html.match(/aria-current="page"/g)?.length]).toEqual([address, 2])
})

test('[RUN-15] the search has each part of every page, as text', () => {
  const rows = JSON.parse(read('search.json')) as [string, string, string, string][]
  const found = rows.find(([address]) => address === 'operations/backup.html#restore')
  expect(found).toEqual([expect.any(String), 'Backup and restore', 'Restore', expect.stringContaining('--until')])
  expect(rows.filter((row) => row.some((text) => /&lt;|&amp;|docs-anchor|<a /.test(text)))).toEqual([])
  expect(new Set(rows.map(([address]) => address.split('#')[0]))).toEqual(new Set(addresses.values()))
})

test('[RUN-15] a link to a file that is no page stays as its name, and text stays text', () => {
  const { html, title } = render('docs/guides/agents.md', '# A <b> & c\n\n[why](../decisions/0002-plain-sql.md) `<i>`')
  expect(title).toBe('A &lt;b&gt; &amp; c')
  expect(html).toContain('title="In the repository: docs/decisions/0002-plain-sql.md">why</span>')
  expect(html).toContain('<code>&lt;i&gt;</code>')
})
