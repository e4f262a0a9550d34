import { nameOf, PdfName, type PdfValue } from './pdf-syntax.ts'

/** Why a PDF is not taken. */
export class PdfRefused extends Error {
  readonly reason: 'damaged' | 'active' | 'protected'
  constructor(reason: PdfRefused['reason'], why: string) {
    super(why)
    this.reason = reason
  }
}
/** Kinds of actions, annotations and streams that run, open, send, play or carry something else. Links stay. */
const ACTIVE_KINDS = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'Rendition',
  'Movie',
  'Sound',
  'Screen',
  '3D',
  'RichMedia',
  'RichMediaExecute',
  'FileAttachment',
  'EmbeddedFile',
  'PS',
])
/** Keys that only such things have. */
const ACTIVE_KEYS = new Set(['JS', 'JavaScript', 'AA', 'EF', 'EmbeddedFiles', 'RichMediaContent', 'XFA'])

export const refuseActive = (value: PdfValue): void => {
  // A kind may be an object of its own, to which the key refers.
  if (value instanceof PdfName && ACTIVE_KINDS.has(value.name)) throw new PdfRefused('active', `/${value.name}`)
  if (Array.isArray(value)) for (const item of value) if (!(item instanceof PdfName)) refuseActive(item)
  if (!(value instanceof Map)) return
  for (const [key, inner] of value) {
    const kind = ['S', 'Type', 'Subtype'].includes(key) ? nameOf(inner) : undefined
    if (kind !== undefined && ACTIVE_KINDS.has(kind)) throw new PdfRefused('active', `/${key} /${kind}`)
    if (ACTIVE_KEYS.has(key) && inner !== null) throw new PdfRefused('active', `/${key}`)
    if (!(inner instanceof PdfName)) refuseActive(inner)
  }
}

/**
 * A reader that finds a file broken looks for objects in all of its bytes, also inside of streams. So there too are no
 * words that begin an action.
 */
export const refuseHidden = (bytes: Buffer): void => {
  const found = HIDDEN.exec(bytes.toString('latin1'))
  if (found) throw new PdfRefused('active', `hidden ${found[0]}`)
}
const spelled = (letter: string) => {
  const hex = letter.charCodeAt(0).toString(16)
  return `(?:${letter}|#${hex.replace(/[a-f]/, (one) => `[${one}${one.toUpperCase()}]`)})`
}
const HIDDEN = new RegExp(
  `/(?:${['JavaScript', 'Launch', 'EmbeddedFile', 'RichMedia', 'SubmitForm', 'ImportData']
    .map((word) => word.split('').map(spelled).join(''))
    .join('|')})`,
)
