import { useWords } from '../../i18n/i18n.ts'

/** Shown while a page or its script is loading. */
export const PageLoading = () => {
  const { t } = useWords()
  return (
    <div className="opening" role="status">
      <span className="spinner" aria-hidden="true" />
      {t('table.loading')}
    </div>
  )
}
