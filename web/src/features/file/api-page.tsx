import { Button } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { copyText } from '../../lib/clipboard.ts'
import { Icon } from '../../ui/icon.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import {
  bodyOf,
  DOCUMENT,
  dataOf,
  type Document,
  exampleOf,
  type FieldLine,
  linesOf,
  loadDocument,
} from './document.ts'
import './file.css'

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
  const [base] = document.servers
  return (
    <div className="api-page">
      <section className="card" aria-label={t('file.signing')}>
        <h2>{t('file.signing')}</h2>
        {/* The document is in English in every language. */}
        <div lang="en" className="api-text">
          {document.info.description}
        </div>
        <p className="api-links">
          <a href={mediaSrc(DOCUMENT)} target="_blank" rel="noreferrer">
            {t('file.openapi')}
          </a>
        </p>
        <Example />
      </section>
      {Object.entries(document.paths).map(([path, { post }]) => (
        <section key={path} className="card api-call" aria-label={path}>
          <h2 lang="en">
            <code>{`POST ${base?.url ?? ''}${path}`}</code>
          </h2>
          <p lang="en">{post.summary}</p>
          <Fields title={t('file.asked')} lines={linesOf(bodyOf(post))} />
          <Fields title={t('file.answered')} lines={linesOf(dataOf(post))} />
        </section>
      ))}
      {Object.entries(document.webhooks).map(([name, { post }]) => (
        <section key={name} className="card api-call" aria-label={name}>
          <h2>
            {t('file.webhook')} <code>{name}</code>
          </h2>
          <p lang="en">{post.summary}</p>
          <Fields title={t('file.sent')} lines={linesOf(bodyOf(post))} />
        </section>
      ))}
    </div>
  )
}

const Example = () => {
  const { t } = useWords()
  const text = exampleOf(window.location.origin)
  return (
    <div className="api-example">
      <Button
        size="small"
        icon={<Icon name="copy" size={14} />}
        onClick={() => void copyText(text).then((done) => done && notify.done(t('file.copied')))}
      >
        {t('file.copy_example')}
      </Button>
      {/* Focusable, so that the keyboard can scroll it. */}
      <pre lang="en" tabIndex={0} role="region" aria-label={t('file.copy_example')}>
        {text}
      </pre>
    </div>
  )
}

const Fields = ({ title, lines }: { title: string; lines: FieldLine[] }) => {
  const { t } = useWords()
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <dl className="api-fields">
        {lines.map(({ name, type, required }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <span lang="en">{type}</span>
              {required && <span className="api-required">{t('file.required')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
