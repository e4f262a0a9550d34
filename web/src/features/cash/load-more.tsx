import { useWords } from '../../i18n/i18n.ts'

/** Below a list that has more rows than are shown. */
export const LoadMore = ({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) => {
  const { t } = useWords()
  return (
    <button type="button" className="button request-more" aria-busy={isBusy} disabled={isBusy} onClick={onPress}>
      {t('statement.load_more')}
    </button>
  )
}
