import { lastPage } from '@tallyroom/contract/limits'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../control/button.tsx'
import { groupCount } from '../form/amount-text.ts'

type Props = {
  /** Accessible name of the navigation. */
  label: string
  page: number
  perPage: number
  total: number
  busy: boolean
  onPage: (page: number) => void
}

/** Buttons to the previous and next page of the server, for lists longer than one answer. */
export const ServerPages = ({ label, page, perPage, total, busy, onPage }: Props) => {
  const { t } = useWords()
  if (total <= perPage) return null
  const from = (page - 1) * perPage + 1
  const to = Math.min(total, page * perPage)
  return (
    <nav className="server-pages" aria-label={label}>
      <Button small disabled={page <= 1 || busy} onClick={() => onPage(page - 1)}>
        {t('history.newer')}
      </Button>
      <span className="points">
        {t('history.range', { from: groupCount(from), to: groupCount(to), total: groupCount(total) })}
      </span>
      <Button small disabled={page >= lastPage(total, perPage) || busy} onClick={() => onPage(page + 1)}>
        {t('history.older')}
      </Button>
    </nav>
  )
}
