import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { deviceOf } from '../../lib/device.ts'
import { Icon } from '../../ui/icon.tsx'

type Row = Answer<'security/list'>['data'][number]

/** PASS-04: what has happened to the security of the account. The sessions above it have their own error message. */
export const OwnNotices = () => {
  const { t } = useWords()
  const [rows, setRows] = useState<Row[]>([])
  useEffect(() => {
    call('security/list', {}).then(
      ({ data }) => setRows(data),
      () => undefined,
    )
  }, [])
  if (rows.length === 0) return null
  return (
    <>
      <h3>{t('notice.title')}</h3>
      <ul className="m-history">
        {rows.map(({ id, kind, user_agent, address, created_at }) => (
          <li key={id}>
            <div className="m-history-top">{t(`notice.${kind}`)}</div>
            <div className="c-note">
              <bdi>{deviceOf(user_agent) || t('sessions.unknown')}</bdi> · <bdi>{address}</bdi> ·{' '}
              {showMoment(created_at)}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Shows what another device has just done, until it is closed. */
export const LiveNotice = () => {
  const { t } = useWords()
  const [text, setText] = useState('')
  useEffect(
    () =>
      onEvent('security', ({ kind, user_agent, address }) =>
        setText(
          t('notice.live', {
            what: t(`notice.${kind}`),
            device: deviceOf(user_agent) || t('sessions.unknown'),
            address,
          }),
        ),
      ),
    [t],
  )
  if (!text) return null
  return (
    <p className="m-bot" role="alert">
      {text}
      <button type="button" className="c-round" aria-label={t('action.close')} onClick={() => setText('')}>
        <Icon name="close" size={16} />
      </button>
    </p>
  )
}
