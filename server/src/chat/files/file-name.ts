import { isBlank } from '@tallyroom/contract/text/blank'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { withoutUnseen } from '@tallyroom/contract/text/names'

const MOST = 100
// Controls, what turns the direction of text (so that gnp.exe reads exe.png), and what separates folders. Joiners and the
// letters of flags stay: Bengali and Persian words and families of emoji fall apart without them.
const UNSAFE = /(?:(?![\u{e0020}-\u{e007f}]|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|])+/gu

/** The name under which a PDF is shown and saved. It always says that it is one. */
export const safeFileName = (given: string): string => {
  const name = withoutUnseen(given.replace(UNSAFE, ' '))
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/\.pdf$/i, '')
  const short = cutText(name.replace(/^[.\s]+|[.\s]+$/g, ''), MOST).trim()
  return `${isBlank(short) ? 'file' : short}.pdf`
}

/** The Content-Disposition of a download: the name as it is, and in ASCII for clients that know no other. */
export const attachmentHeader = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
