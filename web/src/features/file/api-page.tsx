import { useCallback, useEffect, useMemo, useState } from 'react'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { getStored, setStored } from '../../lib/storage.ts'
import { Button } from '../../ui/control/button.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { ApiIndex } from './api-index.tsx'
import { CallEntry, EventEntry, GuideEntry } from './api-parts.tsx'
import { SampleLanguage } from './code-block.tsx'
import { DOCUMENT, type Document, entriesOf, loadDocument } from './document.ts'
import './api.css'

const useDocument = () => {
  const [state, setState] = useState<{ document?: Document; failed?: boolean }>({})
  const load = useCallback(() => {
    setState({})
    loadDocument().then(
      (document) => setState({ document }),
      () => setState({ failed: true }),
    )
  }, [])
  useEffect(load, [load])
  return { ...state, load }
}

/**
 * /file/api (SET-06): the member API, rendered from the OpenAPI document that the server generates from its schemas.
 */
export const ApiPage = () => {
  const { t } = useWords()
  const { document, failed, load } = useDocument()
  if (failed) {
    return (
      <div className="page-narrow">
        <Alert text={t('network.failed')} />
        <Button onClick={load}>{t('action.try_again')}</Button>
      </div>
    )
  }
  if (!document) {
    return (
      <div className="card" aria-busy="true">
        <span className="bar" />
        <span className="bar" />
      </div>
    )
  }
  return <Contents document={document} />
}

const Contents = ({ document }: { document: Document }) => {
  const { t } = useWords()
  const [lang, setLang] = useState(() => getStored('api_lang') ?? 'cURL')
  const entries = useMemo(() => entriesOf(document), [document])
  const language = useMemo(
    (): [string, (next: string) => void] => [
      lang,
      (next) => {
        setLang(next)
        setStored('api_lang', next)
      },
    ],
    [lang],
  )
  // The entry of the address exists only now that the document is here.
  useEffect(() => {
    const { hash } = window.location
    if (hash) window.document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [])
  const base = document.servers[0]?.url ?? ''
  return (
    <SampleLanguage value={language}>
      <div className="api-page">
        <ApiIndex entries={entries} />
        <div className="api-body">
          <h2 lang="en">{document.info.title}</h2>
          <p className="api-links">
            <a href={mediaSrc(DOCUMENT)} target="_blank" rel="noreferrer">
              {t('file.openapi')}
            </a>
          </p>
          {document['x-guides'].map((guide) => (
            <GuideEntry key={guide.id} guide={guide} refusals={document['x-refusals']} />
          ))}
          {entries.parts.map(({ name, description, calls }) => (
            <section key={name} className="api-part" aria-label={name}>
              <h2 lang="en">{name}</h2>
              <p lang="en">{description}</p>
              {calls.map((entry) => (
                <CallEntry key={entry.id} {...entry} base={base} />
              ))}
            </section>
          ))}
          <section className="api-part" aria-label={t('file.events')}>
            <h2>{t('file.events')}</h2>
            {entries.events.map((entry) => (
              <EventEntry key={entry.id} {...entry} />
            ))}
          </section>
        </div>
      </div>
    </SampleLanguage>
  )
}
