import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'

const FAR = 300

/**
 * SHELL-04. Scrolls the page or its list, whichever was scrolled last, back to its top. For a table it is in the empty
 * middle of the table's footer, else in the corner, where the page ends above it.
 */
export const BackToTop = () => {
  const { t } = useWords()
  const [far, setFar] = useState(false)
  const scrolled = useRef<Element>(null)
  useEffect(() => {
    const update = ({ target }: Event) => {
      const box = target === document ? document.documentElement : target
      const main = document.getElementById('main')
      if (!(box instanceof Element) || !main || !(box.contains(main) || main.contains(box))) return
      scrolled.current = box
      setFar(box.scrollTop > FAR)
    }
    document.addEventListener('scroll', update, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', update, { capture: true })
  }, [])
  if (!far || !scrolled.current?.isConnected) return null
  return (
    <button
      type="button"
      className="to-top"
      data-in={scrolled.current.matches('.table-scroll') ? 'footer' : 'corner'}
      aria-label={t('shell.to_top')}
      data-tip={t('shell.to_top')}
      onClick={() => scrolled.current?.scrollTo({ top: 0 })}
    >
      <Icon name="up" />
    </button>
  )
}
