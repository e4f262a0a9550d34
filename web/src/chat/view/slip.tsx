import { lazy, Suspense, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import './slip.css'

const Zoom = lazy(async () => ({ default: (await import('./zoom.tsx')).Zoom }))

/** The photo of a payment slip: as wide as its place and from the top, so that it can be read; pressed, the whole. */
export const Slip = ({ src }: { src: string }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="c-slip" aria-label={t('message.enlarge')} onClick={() => setOpen(true)}>
        <img src={src} alt={t('cash.slip')} draggable={false} />
      </button>
      <Suspense>{open && <Zoom src={src} alt={t('cash.slip')} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
