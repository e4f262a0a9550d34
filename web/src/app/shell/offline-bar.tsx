import { useEffect, useRef } from 'react'
import { useLine, useLostSince } from '../../api/connection.ts'
import { reconnect } from '../../api/live.ts'
import { useKept } from '../../chat/view/use-chat.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { serverTimeAt } from '../../lib/clock.ts'
import { Icon } from '../../ui/icon.tsx'

/**
 * One bar over the whole back office, dialogs too, while the line is lost (CONV-16): since when, which messages are kept,
 * and that numbers may be old. The page below gets the rest of the height (offline-bar.css).
 */
export const OfflineBar = () => {
  const { t } = useWords()
  const lostSince = useLostSince()
  const kept = useKept()
  const bar = useRef<HTMLDivElement>(null)
  const line = useLine()
  const isLost = lostSince !== undefined
  useEffect(() => {
    const root = document.documentElement
    if (!isLost || !bar.current) return
    const box = bar.current
    root.dataset.connection = 'lost'
    const observer = new ResizeObserver(() => root.style.setProperty('--offline-bar', `${box.offsetHeight}px`))
    observer.observe(box)
    return () => {
      observer.disconnect()
      delete root.dataset.connection
      root.style.removeProperty('--offline-bar')
    }
  }, [isLost])
  return (
    <div role="status">
      {line === 'back' && <p className="visually-hidden">{t('connection.back')}</p>}
      {isLost && (
        <div className="offline-bar" ref={bar}>
          <Icon name="offline" size={16} />
          <b>{t('connection.lost', { time: showMoment(serverTimeAt(lostSince)).slice(11) })}</b>
          <span>
            {kept > 0 ? t('connection.kept', { n: kept }) : t('connection.nothing_kept')} {t('connection.old')}
          </span>
          <button type="button" className="button" onClick={reconnect}>
            {t('connection.try')}
          </button>
        </div>
      )}
    </div>
  )
}
