import { useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useModal } from '../../ui/overlay/modal.ts'
import './zoom.css'

const STEPS = [1, 1.5, 2, 3, 4]

/** A large image in a native dialog. */
export const Zoom = ({ src, alt, onClose }: { src: string; alt: string; onClose: () => void }) => {
  const { t } = useWords()
  const dialog = useModal()
  const [step, setStep] = useState(0)
  const go = (by: number) => setStep((now) => Math.min(STEPS.length - 1, Math.max(0, now + by)))

  return (
    <dialog
      ref={dialog}
      className="c-zoom"
      aria-label={alt}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === '+' || event.key === '=') go(1)
        if (event.key === '-') go(-1)
      }}
    >
      <div className="c-zoom-bar">
        <button
          type="button"
          className="c-round"
          aria-label={t('message.zoom_out')}
          disabled={step === 0}
          onClick={() => go(-1)}
        >
          <Icon name="minus" />
        </button>
        <button
          type="button"
          className="c-round"
          aria-label={t('message.zoom_in')}
          disabled={step === STEPS.length - 1}
          onClick={() => go(1)}
        >
          <Icon name="plus" />
        </button>
        <button type="button" className="c-round" aria-label={t('action.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {/* By keyboard: the buttons above and Escape. */}
      <div className="c-zoom-ground" onClick={(event) => event.target === event.currentTarget && onClose()}>
        <img
          src={src}
          alt={alt}
          style={{ transform: `scale(${STEPS[step]})`, transformOrigin: step ? 'top left' : 'center' }}
        />
      </div>
    </dialog>
  )
}
