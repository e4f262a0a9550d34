import { type ChangeEvent, useState } from 'react'
import { Slip } from '../../chat/view/slip.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

type Props = { value: string; onChange: (slip: string) => void; onError: (text: string) => void }

/** The photo of a payment slip, made smaller before it is sent. */
export const SlipField = ({ value, onChange, onError }: Props) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const { prepareImage } = await import('../../media/resize.ts')
      onChange((await prepareImage(file)).content)
    } catch (error) {
      // The class of the error is in the code that may not have been loaded.
      const isTooLarge = error instanceof Error && 'reason' in error && error.reason === 'too_large'
      onError(t(isTooLarge ? 'message.image_too_large' : 'message.not_an_image'))
    }
    setBusy(false)
  }
  if (value)
    return (
      <div className="m-ask-slip">
        <Slip src={value} />
        <button type="button" className="c-link" onClick={() => onChange('')}>
          {t('cash.remove_slip')}
        </button>
      </div>
    )
  return (
    <label className="button m-wide" aria-busy={busy}>
      <Icon name="image" />
      {t('cash.add_slip')}
      <input type="file" accept="image/*" className="visually-hidden" onChange={(event) => void choose(event)} />
    </label>
  )
}
