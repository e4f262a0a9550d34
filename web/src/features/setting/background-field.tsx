import { Button } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { ImageRefused, prepareImage } from '../../media/resize.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/message.tsx'
import { useWords } from '../../words.ts'

type Props = { label: string; value: string; onChange: (dataUrl: string) => void }

/** A picked file is read here and sent with the form. */
export const BackgroundField = ({ label, value, onChange }: Props) => {
  const { t } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    try {
      onChange((await prepareImage(file)).content)
    } catch (error) {
      const large = error instanceof ImageRefused && error.why === 'too_large'
      notify.refused(t(large ? 'message.image_too_large' : 'account.image_invalid'))
    }
  }
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <span className="setting-image">
        <input
          ref={picker}
          className="heard"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label={label}
          onChange={(event) => void take(event)}
        />
        <Button icon={<Icon name="image" size={16} />} onClick={() => picker.current?.click()}>
          {t('account.choose_picture')}
        </Button>
        {value && (
          <Button type="text" onClick={() => onChange('')}>
            {t('account.remove_picture')}
          </Button>
        )}
      </span>
    </div>
  )
}
