import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { groupCount } from '../form/amount-text.ts'
import { Icon } from '../icon.tsx'

/** Rows per page; 0 means all. */
export const SIZES: readonly number[] = [10, 25, 50, 0]

type Props = {
  count: number
  known: boolean
  /** False: only a screen reader hears how many rows a search has found. */
  isCountSeen?: boolean
  /** The rest of the rows is loading. */
  loading?: boolean
  sizes: readonly number[]
  size: number
  onSize: (size: number) => void
  page: number
  pages: number
  onPage: (page: number) => void
  children: ReactNode
}

export const Footer = ({
  count,
  known,
  isCountSeen = true,
  loading,
  sizes,
  size,
  onSize,
  page,
  pages,
  onPage,
  children,
}: Props) => {
  const { t } = useWords()
  return (
    <div className="table-footer">
      <span className="table-count" role="status">
        {known && (
          <span className={isCountSeen ? undefined : 'visually-hidden'}>
            {t('table.count', { n: count, count: groupCount(count) })}
          </span>
        )}
        {loading && (
          <span className="table-rest">
            <span className="spinner" />
            {t('table.loading')}
          </span>
        )}
      </span>
      {children}
      <label className="table-size">
        <span>{t('table.rows_per_page')}</span>
        <select className="select" value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {sizes.map((each) => (
            <option key={each} value={each}>
              {each === 0 ? t('table.all') : each}
            </option>
          ))}
        </select>
      </label>
      {pages > 1 && (
        <nav className="table-pages" aria-label={t('table.pages')}>
          <button
            type="button"
            className="icon-button"
            aria-label={t('table.previous')}
            data-tip={t('table.previous')}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            <Icon name="chevronLeft" />
          </button>
          <span className="points">{t('table.page_of', { page, pages })}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={t('table.next')}
            data-tip={t('table.next')}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            <Icon name="chevronRight" />
          </button>
        </nav>
      )}
    </div>
  )
}
