import type { Input } from '@tallyroom/contract'
import { Button } from 'antd'
import { useState } from 'react'
import { CallError, call } from '../../call.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/message.tsx'
import { useWords } from '../../words.ts'

/** What the last search found, as a file for a spreadsheet. */
export const ExportButton = ({ filter, disabled }: { filter: Input<'user/export'>; disabled: boolean }) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { name, csv } = await call('user/export', filter)
      download(name, csv)
      notify.done(t('account.exported', { name }))
    } catch (error) {
      notify.refused(error instanceof CallError ? error.message : t('error.unforeseen'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<Icon name="deposit" size={16} />} loading={busy} disabled={disabled} onClick={() => void save()}>
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
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
