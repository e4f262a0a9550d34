import { Input } from '../../ui/control/input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { isColour } from './form.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  fallback: string
}

/** A colour as text, with the browser's colour picker beside it. Empty means the default colour. */
export const ColourField = ({ label, value, onChange, error, fallback }: Props) => {
  const { t } = useWords()
  const valid = isColour(value) ? value.trim() : ''
  return (
    <Field label={label} error={error} hint={t('setting.colour_hint')}>
      {(control) => (
        <span className="colour-field">
          <input
            type="color"
            className="colour-well"
            aria-label={t('setting.pick_colour', { what: label })}
            value={valid || fallback}
            onChange={(event) => onChange(event.target.value)}
          />
          <Input
            {...control}
            value={value}
            maxLength={7}
            spellCheck={false}
            placeholder={t('setting.usual_colour')}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}
