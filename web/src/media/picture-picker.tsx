import { type ChangeEvent, useRef, useState } from 'react'
import { Button } from '../ui/control/button.tsx'
import { notify } from '../ui/overlay/message.tsx'
import { useWords } from '../i18n/i18n.ts'
import { ImageError, prepareImage } from './resize.ts'

type Props = {
  label: string
  /** Gets the image as a data URL. */
  onPicked: (dataUrl: string) => void
  /** True while a picked file is being read: a form saved now would miss it. */
  onReading?: (reading: boolean) => void
  isSending?: boolean
  /** Message for a file that is not an image. */
  invalid?: 'account.image_invalid' | 'message.not_an_image'
}

/** Turns a picked file into a data URL; a file that is not an image is refused before it is sent. */
export const PicturePicker = (props: Props) => {
  const { label, onPicked, onReading, isSending = false, invalid = 'account.image_invalid' } = props
  const { t } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const [reading, setReading] = useState(false)
  const reportReading = (now: boolean) => {
    setReading(now)
    onReading?.(now)
  }
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    reportReading(true)
    try {
      onPicked((await prepareImage(file)).content)
    } catch (error) {
      const large = error instanceof ImageError && error.reason === 'too_large'
      notify.refused(t(large ? 'message.image_too_large' : invalid))
    } finally {
      reportReading(false)
    }
  }
  return (
    <>
      <input
        ref={picker}
        className="visually-hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => void take(event)}
      />
      <Button icon="image" busy={reading || isSending} onClick={() => picker.current?.click()}>
        {t('account.choose_picture')}
      </Button>
    </>
  )
}
