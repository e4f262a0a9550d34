import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'

export const Search = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const { t } = useWords()
  return (
    <label className="room-search">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={t('chat.filter')}
        aria-label={t('chat.filter')}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

export const ListSkeleton = () => {
  const { t } = useWords()
  return (
    <div className="room-skeleton" role="status">
      <span className="visually-hidden">{t('chat.loading')}</span>
      {[0, 1, 2, 3, 4, 5].map((n) => (
        <div key={n} aria-hidden="true">
          <i />
          <b />
        </div>
      ))}
    </div>
  )
}

export const Failed = ({ words, retry }: { words: string; retry: () => void }) => {
  const { t } = useWords()
  return (
    <div className="c-middle">
      <p role="alert">{words}</p>
      <button type="button" className="button" onClick={retry}>
        {t('action.try_again')}
      </button>
    </div>
  )
}
