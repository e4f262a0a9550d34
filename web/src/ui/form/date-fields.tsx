import { Button, DatePicker as LocalPicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from './field.tsx'
import { wallClock, wallClockConfig } from './wall-clock.ts'

const DatePicker = LocalPicker.generatePicker<Dayjs>(wallClockConfig)

const DAY = 'YYYY-MM-DD'
const MINUTE = 'YYYY-MM-DD HH:mm'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  time?: boolean
}

/**
 * A day (YYYY-MM-DD) or a minute (YYYY-MM-DD HH:mm) in the platform's time zone. A choice takes effect when it is
 * confirmed; "Cancel" and Esc keep the previous value.
 */
export const DateField = ({ label, value, onChange, error, time = false }: Props) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const format = time ? MINUTE : DAY
  const take = (chosen: Dayjs | null) => {
    if (chosen) onChange(chosen.format(format))
  }
  return (
    <Field label={label} error={error}>
      {(control) => (
        <DatePicker
          {...control}
          status={error ? 'error' : ''}
          className="date-field"
          format={format}
          showTime={time ? { format: 'HH:mm' } : false}
          value={wallClock(value)}
          onChange={take}
          needConfirm
          showNow={false}
          allowClear={false}
          open={open}
          onOpenChange={setOpen}
          renderExtraFooter={() => (
            <Button size="small" onClick={() => setOpen(false)}>
              {t('action.cancel')}
            </Button>
          )}
        />
      )}
    </Field>
  )
}
