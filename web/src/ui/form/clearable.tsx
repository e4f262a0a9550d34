import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'

const Clear = () => {
  const { t } = useWords()
  return (
    <span role="img" aria-label={t('action.clear')}>
      <Icon name="close" size={14} />
    </span>
  )
}

/** For a field's `allowClear`: the library's own icon has an English label in every language. */
export const clearable = { clearIcon: <Clear /> }
