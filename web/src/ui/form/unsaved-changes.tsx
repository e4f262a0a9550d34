import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { goBack } from '../overlay/close-on-back.ts'
import { lazyPart } from '../page/lazy-part.tsx'

const ConfirmDialog = lazyPart(async () => (await import('../overlay/confirm-dialog.tsx')).ConfirmDialog)

type Props = {
  hasChanges: boolean
  /** A value of the address's query that the form belongs to. Else all addresses with the same path keep the form. */
  searchKey?: string
}

/** Asks before the user leaves a page whose form has changes: by a link, by the browser's "back", or by closing the tab. */
export const UnsavedChanges = ({ hasChanges, searchKey }: Props) => {
  const { t } = useWords()
  const router = useRouter()
  const [leave, setLeave] = useState<() => void>()
  const shouldBlockFn = useCallback<ShouldBlockFn>(
    ({ current, next, action }) => {
      const valueIn = ({ search }: { search: Record<string, unknown> }) => searchKey && search[searchKey]
      if (next.pathname === current.pathname && valueIn(next) === valueIn(current)) return false
      const href = next.pathname + router.options.stringifySearch(next.search)
      setLeave(() => () => {
        if (action === 'BACK') return goBack((steps) => router.history.go(steps, { ignoreBlocker: true }))
        router.history[action === 'REPLACE' ? 'replace' : 'push'](href, undefined, { ignoreBlocker: true })
      })
      // Blocked until the answer, the address would be that of the other page, and a reload would go there.
      return true
    },
    [router, searchKey],
  )
  useBlocker({ shouldBlockFn, disabled: !hasChanges, enableBeforeUnload: hasChanges })
  useEffect(() => {
    if (hasChanges) ConfirmDialog.preload()
  }, [hasChanges])
  if (!leave) return null
  return (
    <Suspense>
      <ConfirmDialog
        title={t('dialog.discard_title')}
        act={t('dialog.discard')}
        cancel={t('dialog.keep_editing')}
        danger
        onConfirm={() => {
          setLeave(undefined)
          leave()
        }}
        onClose={() => setLeave(undefined)}
      >
        <p>{t('dialog.not_saved')}</p>
      </ConfirmDialog>
    </Suspense>
  )
}
