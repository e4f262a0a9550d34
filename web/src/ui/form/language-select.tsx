import { isLanguage, languages, ownNames } from '@tallyroom/locales'
import { setLanguage, useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'

/** All languages by their own names. Switching does not reload the page, so typed text is not lost. */
export const LanguageSelect = () => {
  const { t, language } = useWords()
  return (
    <label className="language-select">
      <Icon name="globe" />
      <span className="visually-hidden">{t('shell.language')}</span>
      <select
        className="select"
        value={language}
        onChange={(event) => {
          if (isLanguage(event.target.value)) void setLanguage(event.target.value)
        }}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {ownNames[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
