import { Link } from '@tanstack/react-router'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { useWords } from '../../i18n/i18n.ts'
import { DOCUMENT } from './document.ts'
import './file.css'

/** /file: documents and links for connecting a platform to Tallyroom. */
export const FilesPage = () => {
  const { t } = useWords()
  return (
    <div className="page-narrow">
      <section className="card">
        <h2>{t('menu.technical_files')}</h2>
        <ul className="file-list">
          <li>
            <Link to="/file/api">{t('menu.api_doc')}</Link>
          </li>
          <li>
            <a href={mediaSrc(DOCUMENT)} download="openapi.json">
              {t('file.openapi')}
            </a>
          </li>
          <li>
            <Link to="/setup/system">{t('menu.system_settings')}</Link>
          </li>
          <li>
            <Link to="/RD_Debug">{t('debug.title')}</Link>
          </li>
        </ul>
      </section>
    </div>
  )
}
