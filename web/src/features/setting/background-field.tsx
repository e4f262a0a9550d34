import { PicturePicker } from '../../media/picture-picker.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'

type Props = {
  label: string
  value: string
  onChange: (dataUrl: string) => void
  onReading: (reading: boolean) => void
}

/** A picked file is read as a data URL and sent with the form. */
export const BackgroundField = ({ label, value, onChange, onReading }: Props) => {
  const { t } = useWords()
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <span className="setting-image">
        <PicturePicker label={label} onPicked={onChange} onReading={onReading} />
        {value && (
          <Button plain onClick={() => onChange('')}>
            {t('account.remove_picture')}
          </Button>
        )}
      </span>
    </div>
  )
}
