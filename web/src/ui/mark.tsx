import { useWords } from '../i18n/i18n.ts'

/** The product's logo and name. */
export const Mark = () => {
  const { t } = useWords()
  return (
    <span className="mark">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path d="M7 9h18v11H15l-5 4v-4H7z" fill="var(--on-accent)" />
        <path d="M12 12v5M15 12v5M18 12v5M21 11l-11 7" stroke="var(--accent)" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
      <span>{t('product.name')}</span>
    </span>
  )
}
