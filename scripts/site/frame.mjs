import { dirname, relative } from 'node:path/posix'
import { addresses, groups, HOME } from './pages.mjs'

const MARK = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="var(--accent)"/>
<path d="M7 9h18v11H15l-5 4v-4H7z" fill="var(--on-accent)"/>
<path d="M12 12v5M15 12v5M18 12v5M21 11l-11 7" stroke="var(--accent)" stroke-width="1.6" stroke-linecap="round" fill="none"/>
</svg>`

/** From one page to a file of the site. */
const pathTo = (from, to) => relative(dirname(from), to) || to

const menuOf = (path, titles) =>
  groups
    .map(({ title, pages }) => {
      const rows = pages.map((page) => {
        const address = pathTo(addresses.get(path), addresses.get(page))
        return `<li><a href="${address}"${page === path ? ' aria-current="page"' : ''}>${titles.get(page)}</a></li>`
      })
      return `<b>${title}</b><ul>${rows.join('')}</ul>`
    })
    .join('\n')

const contentsOf = (headings) => {
  const rows = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (rows.length < 2) return ''
  const lines = rows.map(
    ({ depth, text, anchor }) => `<li class="docs-h${depth}"><a href="#${anchor}">${text}</a></li>`,
  )
  return `<ul>${lines.join('')}</ul>`
}

/** The pages before and after this one in the menu. */
const neighboursOf = (path, titles) => {
  const all = [HOME, ...groups.flatMap(({ pages }) => pages)]
  const at = all.indexOf(path)
  const link = (page, word) =>
    page &&
    `<a href="${pathTo(addresses.get(path), addresses.get(page))}"><small>${word}</small> ${titles.get(page)}</a>`
  return [link(all[at - 1], 'Previous'), link(all[at + 1], 'Next')].filter(Boolean).join('')
}

/** A whole page. `titles` has the title of each page by its path. */
export const frame = (path, { title, html, headings }, titles) => {
  const address = addresses.get(path)
  const to = (file) => pathTo(address, file)
  const contents = contentsOf(headings)
  const menu = menuOf(path, titles)
  return `<!doctype html>
<html lang="en" data-root="${to('index.html').replace('index.html', '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${path === HOME ? 'Tallyroom' : `${title} – Tallyroom`}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${to('docs.css')}">
<script src="${to('docs.js')}"></script>
</head>
<body>
<a class="docs-skip" href="#content">Skip to content</a>
<header class="docs-head">
<a class="mark docs-mark" href="${to('index.html')}">${MARK}<span>Tallyroom</span> <span class="docs-word">Guides</span></a>
<div class="docs-search" role="search" hidden>
<input class="input" type="search" aria-label="Search the guides" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="docs-found" hidden><p role="status"></p><ul></ul></div>
</div>
</header>
<div class="docs-body">
<nav class="docs-menu" aria-label="Pages">${menu}</nav>
<div class="docs-page">
<details class="docs-fold"><summary>Pages</summary><nav aria-label="Pages">${menu}</nav></details>
${contents && `<details class="docs-fold"><summary>On this page</summary><nav aria-label="On this page">${contents}</nav></details>`}
<main id="content">
${html}</main>
<nav class="docs-neighbours" aria-label="Next pages">${neighboursOf(path, titles)}</nav>
</div>
${contents && `<nav class="docs-contents" aria-label="On this page"><b>On this page</b>${contents}</nav>`}
</div>
</body>
</html>
`
}

/** The parts of a page for the search: address, page, heading and text of each. */
export const searchRows = (path, { title, html }) =>
  html.split(/(?=<h[1-3] id=)/).flatMap((part) => {
    const [whole, anchor, heading] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/.exec(part) ?? []
    if (whole === undefined) return []
    const plain = (markup) =>
      markup
        .replaceAll(/<a class="docs-anchor".*?<\/a>/g, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[,.;:!?)])/g, '')
        .trim()
    const address = heading === title ? addresses.get(path) : `${addresses.get(path)}#${anchor}`
    return [[address, plain(title), plain(heading), plain(part.slice(whole.length))]]
  })
