import { useState } from 'react'
import { errorText } from '../api/error-text.ts'
import { useWords } from '../i18n/i18n.ts'
import { Button } from './control/button.tsx'
import { notify } from './overlay/message.tsx'

type File =
  | { name: string; csv: string; type?: string; cut?: boolean; approval?: 0 | 1 | undefined }
  /** The server sends it from this address. */
  | { file: string; approval: 0 | 1 }

type Props = {
  load: () => Promise<File>
  disabled?: boolean
  label?: string
  /** What is said of a file that holds only the first rows. */
  cutWord?: 'history.cut' | 'account.cut'
}

/** Downloads a file, such as the results of the last search as CSV, or says that it waits for approval. */
export const SaveFile = ({ load, disabled = false, label, cutWord = 'history.cut' }: Props) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const loaded = await load()
      if (loaded.approval) return notify.done(t('change.file_asked'))
      if ('file' in loaded) return follow(loaded.file)
      const { name, csv, type, cut } = loaded
      download(name, csv, type)
      if (cut) notify.refused(t(cutWord, { name, rows: '50,000' }))
      else notify.done(t('account.exported', { name }))
    } catch (error) {
      notify.refused(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="deposit" busy={busy} disabled={disabled} onClick={() => void save()}>
      {label ?? t('account.export')}
    </Button>
  )
}

/** Without a name it has the one that the server gives. */
const follow = (address: string, name = '') => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

const download = (name: string, text: string, type = 'text/csv;charset=utf-8') => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  follow(address, name)
  // Later, because the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
