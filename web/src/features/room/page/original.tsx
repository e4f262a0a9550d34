import { MessageType } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { Suspense, useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { FileCard } from '../../../chat/view/messages/file-card.tsx'
import { VoiceNote } from '../../../chat/view/messages/voice-note.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { notify } from '../../../ui/overlay/message.tsx'

// Few open it, so the chat does without the dialog at first.
const NoticeDialog = lazyPart(async () => (await import('../../../ui/overlay/notice-dialog.tsx')).NoticeDialog)

type Original = Answer<'message/original'>

const blobOf = (dataUrl: string): Blob => {
  const [head = '', data = ''] = dataUrl.split(',')
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: head.slice('data:'.length, head.indexOf(';')) })
}

/** In a message that was taken back: what it said, for the head of the group. Each look is in the audit log. */
export const OriginalButton = ({ code, messageId }: { code: string; messageId: string }) => {
  const { t } = useWords()
  const [original, setOriginal] = useState<Original>()
  const [isBusy, setBusy] = useState(false)
  // The page plays and saves addresses of its own only, and not data URLs.
  const [address, setAddress] = useState('')
  useEffect(() => {
    if (!original?.voice && !original?.file) return
    const made = URL.createObjectURL(blobOf(original.content))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [original])
  const view = async () => {
    setBusy(true)
    try {
      setOriginal(await call('message/original', { code, message_id: messageId }))
    } catch (error) {
      notify.refused(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" className="c-link" disabled={isBusy} onClick={() => void view()}>
        {t('message.view_original')}
      </button>
      <Suspense>
        {original && (
          <NoticeDialog title={t('message.original')} onClose={() => setOriginal(undefined)}>
            {original.type === MessageType.image ? (
              <img className="room-original" src={original.content} alt={t('message.kind_image')} />
            ) : original.voice ? (
              <VoiceNote src={address} voice={original.voice} />
            ) : original.file ? (
              <FileCard src={address} file={original.file} />
            ) : (
              <p className="c-text" dir="auto">
                {original.content}
              </p>
            )}
            <p className="c-note">{t('message.original_note')}</p>
          </NoticeDialog>
        )}
      </Suspense>
    </>
  )
}
