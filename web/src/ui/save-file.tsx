import { useState } from 'react'
import { CallError } from '../api/call.ts'
import { useWords } from '../i18n/i18n.ts'
import { Button } from './button.tsx'
import { notify } from './overlay/message.tsx'

type File = { name: string; csv: string; cut?: boolean }

/** Downloads the results of the last search as a CSV file. */
export const SaveFile = ({ load, disabled }: { load: () => Promise<File>; disabled: boolean }) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { name, csv, cut } = await load()
      download(name, csv)
      if (cut) notify.refused(t('history.cut', { name, rows: '50,000' }))
      else notify.done(t('account.exported', { name }))
    } catch (error) {
      notify.refused(error instanceof CallError ? error.message : t('error.unforeseen'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="deposit" busy={busy} disabled={disabled} onPress={() => void save()}>
      {t('account.export')}
    </Button>
  )
}

const download = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Later, because the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
