import { useSyncExternalStore } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './new-version.css'

let isNew = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Call it when the server may have been replaced: whether it has another build than this page. A build has its hash in the
 * name of its first script.
 */
export const lookForNewVersion = async (): Promise<void> => {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')
  if (!own || isNew) return
  try {
    const answer = await fetch('/index', { headers: { accept: 'text/html' } })
    const page = answer.ok ? await answer.text() : ''
    // A proxy's own page has no script of ours.
    if (!page.includes('src="/assets/') || page.includes(`"${own}"`)) return
  } catch {
    return
  }
  isNew = true
  for (const listener of listeners) listener()
}

/** Loads the page again, when the user wants to: it may be in the middle of something. */
export const NewVersion = () => {
  const { t } = useWords()
  const isShown = useSyncExternalStore(subscribe, () => isNew)
  return (
    <div role="status">
      {isShown && (
        <button type="button" className="side-link side-new" onClick={() => window.location.reload()}>
          <Icon name="refresh" />
          <span className="side-word">{t('shell.new_version')}</span>
        </button>
      )}
    </div>
  )
}
