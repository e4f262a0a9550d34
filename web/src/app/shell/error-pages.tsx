import { CallError, isRefusal } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import './error-pages.css'

const words = {
  '404': 'page.not_found',
  '403': 'page.denied',
  forbidden: 'page.denied',
  '500': 'page.server_down',
} as const

/** A plain link: it must work even when the router does not. */
const GoHome = () => {
  const { t } = useWords()
  return (
    <a className="button button-main" href="/">
      {t('page.go_home')}
    </a>
  )
}

export const ErrorPage = ({ kind }: { kind: keyof typeof words }) => {
  const { t } = useWords()
  return (
    <main className="error-page">
      <Mark />
      {kind !== 'forbidden' && (
        <p className="error-number" aria-hidden="true">
          {kind}
        </p>
      )}
      <h1>{t(words[kind])}</h1>
      <GoHome />
    </main>
  )
}

/** Shown when a page could not be opened: no answer, or an error in our code. */
export const LoadFailed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { t } = useWords()
  const known = error instanceof CallError
  if (isRefusal(error, 'session.dead')) return null
  return (
    <main className="error-page">
      <Mark />
      <h1>{t('page.failed')}</h1>
      <p role="alert">{known ? error.message : t('error.unforeseen')}</p>
      <p className="error-buttons">
        {/* A script that failed to load is retried only by a reload of the page. */}
        <button
          type="button"
          className="button button-main"
          onClick={() => (known ? onRetry() : window.location.reload())}
        >
          {t('action.try_again')}
        </button>
        <GoHome />
      </p>
    </main>
  )
}
