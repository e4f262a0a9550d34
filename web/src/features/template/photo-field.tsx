import { mediaSrc } from '../../chat/model/media-src.ts'
import { PicturePicker } from '../../media/picture-picker.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'

type Props = { value: string; onChange: (dataUrl: string) => void; onReading: (reading: boolean) => void }
/** The photo of a quick reply. A file that is not an image is refused before it is sent. */
export const PhotoField = ({ value, onChange, onReading }: Props) => {
  const { t } = useWords()
  return (
    <div className="field">
      <span className="field-label">{t('template.image')}</span>
      <div className="avatar-field">
        {value && <img className="t-photo" src={mediaSrc(value)} alt={t('template.image')} />}
        <PicturePicker
          label={t('template.image')}
          onPicked={onChange}
          onReading={onReading}
          invalid="message.not_an_image"
        />
        {value && (
          <Button plain onClick={() => onChange('')}>
            {t('account.remove_picture')}
          </Button>
        )}
      </div>
      <div className="field-hint">{t('template.image_hint')}</div>
    </div>
  )
}
