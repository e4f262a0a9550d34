import { Button } from 'antd'
import { type ChangeEvent, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/overlay/message.tsx'
import { useWords } from '../i18n/i18n.ts'
import { ImageRefused, prepareImage } from './resize.ts'

type Props = {
  label: string
  /** The picture as an inline image. */
  onPicked: (dataUrl: string) => void
  /** A picked file is being read: whoever saves now would save without it. */
  onReading?: (reading: boolean) => void
  isSending?: boolean
  /** What is said of a file that is no picture. */
  invalid?: 'account.image_invalid' | 'message.not_an_image'
}

/** A picked file becomes an inline image; what is none is refused before it is sent. */
export const PicturePicker = (props: Props) => {
  const { label, onPicked, onReading, isSending = false, invalid = 'account.image_invalid' } = props
  const { t } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const [reading, setReading] = useState(false)
  const say = (now: boolean) => {
    setReading(now)
    onReading?.(now)
  }
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    say(true)
    try {
      onPicked((await prepareImage(file)).content)
    } catch (error) {
      const large = error instanceof ImageRefused && error.why === 'too_large'
      notify.refused(t(large ? 'message.image_too_large' : invalid))
    } finally {
      say(false)
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
      <Button
        icon={<Icon name="image" size={16} />}
        loading={reading || isSending}
        onClick={() => picker.current?.click()}
      >
        {t('account.choose_picture')}
      </Button>
    </>
  )
}
