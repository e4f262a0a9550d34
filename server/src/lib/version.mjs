import { readFileSync } from 'node:fs'

const readManifest = (/** @type {URL} */ folder) => {
  try {
    return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  } catch {
    return {}
  }
}

/** In the source and in the bundle package.json is a different number of folders above. */
const findVersion = () => {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const { name, version } = readManifest(folder)
    if (name === 'tallyroom') return version
    if (folder.pathname === '/') return 'unknown'
  }
}

/** Which Tallyroom this is, as its package.json says: `1.0.0`. */
export const version = /** @type {string} */ (findVersion())

/** When the support of each Node ends: https://nodejs.org/en/about/previous-releases */
const nodeEnds = /** @type {Record<string, string>} */ ({
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
})

/** Since when this Node gets no fixes any more; undefined: it gets them. */
export const nodeUnsupportedSince = (now = new Date(), node = process.versions.node) => {
  const ends = nodeEnds[node.split('.')[0] ?? '']
  return ends && now > new Date(ends) ? ends : undefined
}
