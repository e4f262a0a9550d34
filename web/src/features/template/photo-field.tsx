import { Button } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { mediaSrc } from '../../chat/media-src.ts'
import { ImageRefused, prepareImage } from '../../media/resize.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/message.tsx'
import { useWords } from '../../words.ts'

/** A photo that goes with a quick reply. What is none is refused before it is sent. */
export const PhotoField = ({ value, onChange }: { value: string; onChange: (dataUrl: string) => void }) => {
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
      notify.refused(t(large ? 'message.image_too_large' : 'message.not_an_image'))
    }
  }
  return (
    <div className="field">
      <span className="field-label">{t('template.image')}</span>
      <div className="avatar-field">
        {value && <img className="t-photo" src={mediaSrc(value)} alt={t('template.image')} />}
        <input
          ref={picker}
          className="heard"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label={t('template.image')}
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
      </div>
      <div className="field-hint">{t('template.image_hint')}</div>
    </div>
  )
}
