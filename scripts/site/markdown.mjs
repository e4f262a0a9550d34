import { dirname, normalize, relative } from 'node:path/posix'
import { Marked } from 'marked'
import { anchorOf } from './anchors.mjs'
import { addresses } from './pages.mjs'

export const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const PICTURES = 'docs/pictures/'
const isElsewhere = (link) => /^[a-z]+:/.test(link)

/** Where a link of one page leads on the site: relative, so that the pages also open from a disk. */
const addressOn = (from, link) => {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : normalize(`${dirname(from)}/${file}`)
  const address = target.startsWith(PICTURES) ? target.slice('docs/'.length) : addresses.get(target)
  if (address === undefined) return { target }
  const here = relative(dirname(addresses.get(from)), address)
  return { address: `${file === '' ? '' : here}${anchor ? `#${anchor}` : ''}` }
}

/** What the link is on the site. A file of the repository that is no page stays as its name. */
const linkOn = (from, link, inner) => {
  if (isElsewhere(link)) return `<a href="${escape(link)}" rel="noreferrer">${inner}</a>`
  const { address, target } = addressOn(from, link)
  if (address !== undefined) return `<a href="${escape(address)}">${inner}</a>`
  return `<span class="docs-elsewhere" title="In the repository: ${escape(target)}">${inner}</span>`
}

/**
 * A page of the repository as HTML without any script or style in it, as the server's content policy wants it.
 *
 * @param {string} path of the source
 * @param {string} text
 * @returns {{ title: string, html: string, headings: { depth: number, text: string, anchor: string }[] }}
 */
export const render = (path, text) => {
  const headings = []
  const counts = new Map()
  const anchorFor = (heading) => {
    const anchor = anchorOf(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
  const withAddress = (img) =>
    img.replace(/ src="([^"]+)"/, (_, src) => ` src="${addressOn(path, src).address}" loading="lazy"`)
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: source }) {
        const anchor = anchorFor(source)
        const inner = this.parser.parseInline(tokens)
        const plain = inner.replaceAll(/<[^>]*>/g, '')
        headings.push({ depth, text: plain, anchor })
        const link = depth === 1 ? '' : ` <a class="docs-anchor" href="#${anchor}" aria-label="Link to ${plain}">#</a>`
        return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return linkOn(path, href, this.parser.parseInline(tokens))
      },
      image({ href, text: alt }) {
        return `<img src="${escape(addressOn(path, href).address)}" alt="${escape(alt)}" loading="lazy">`
      },
      // Comments are for readers of the source. The only element is a picture with a width.
      html({ text: source }) {
        return source
          .replaceAll(/<!--[^]*?-->/g, '')
          .split(/(<img [^>]*>)/)
          .map((part, at) => (at % 2 === 1 ? withAddress(part) : escape(part)))
          .join('')
      },
      // Both can be wider than the screen, and the keyboard must be able to scroll them.
      code({ text: source }) {
        return `<pre tabindex="0"><code>${escape(source)}</code></pre>\n`
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const isNamed = token.header.some(({ text: name }) => name !== '')
        const head = isNamed ? `<thead>${row(token.header, 'th')}</thead>` : ''
        return `<div class="docs-table" tabindex="0"><table>${head}<tbody>${token.rows
          .map((cells) => row(cells, 'td'))
          .join('\n')}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(text)
  return { title: headings[0]?.text ?? path, html, headings }
}
