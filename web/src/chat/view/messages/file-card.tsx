import type { FileFacts } from '@tallyroom/contract/events'
import type { ReactNode } from 'react'
import { language, useWords } from '../../../i18n/i18n.ts'
import './attachments.css'

/** In the user's language: 184 KB, 1.2 MB. */
const sizeText = (bytes: number) => {
  const isSmall = bytes < 1_000_000
  const n = isSmall ? Math.max(1, Math.round(bytes / 1000)) : bytes / 1_000_000
  const unit = isSmall ? 'kilobyte' : 'megabyte'
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language(), format).format(n)
}

type Props = { file: FileFacts; children?: ReactNode }
/** What a file is: its name and size. */
export const FileFactsView = ({ file: { name, size }, children }: Props) => (
  <>
    <span className="c-file-mark" aria-hidden="true" />
    <span className="c-file-words">
      <b dir="auto">{name}</b>
      <small>{sizeText(size)}</small>
      {children}
    </span>
  </>
)

/** A PDF. The server sends it as a download, never as a page. */
export const FileCard = ({ file, src }: { file: FileFacts; src: string }) => {
  const { t } = useWords()
  return (
    <a className="c-file" href={src} download={file.name} title={t('message.download', { name: file.name })}>
      <FileFactsView file={file} />
    </a>
  )
}
