import { useState } from 'react'
import { call, newRequestId } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { deviceOf } from '../../lib/device.ts'
import { useOwn } from './use-own.tsx'

/** Where the member is signed in. Each other session can be ended. */
export const OwnSessions = () => {
  const { t } = useWords()
  const { own, setOwn, setTrouble, state } = useOwn('session/list')
  const [ending, setEnding] = useState('')

  const end = async (id: string) => {
    setEnding(id)
    setTrouble('')
    try {
      await call('session/end', { id, request_id: newRequestId() })
      setOwn((now) => now && { data: now.data.filter((row) => row.id !== id) })
    } catch (error) {
      setTrouble(errorText(error))
    }
    setEnding('')
  }
  return (
    <>
      {state}
      <ul className="m-history">
        {own?.data.map((row) => {
          const device = deviceOf(row.user_agent) || t('sessions.unknown')
          return (
            <li key={row.id}>
              <div className="m-history-top">
                <bdi>{device}</bdi>
                {row.current ? (
                  <span className="c-note">{t('sessions.this')}</span>
                ) : (
                  <button
                    type="button"
                    className="button"
                    disabled={ending === row.id}
                    aria-label={t('sessions.end_named', { device, address: row.address })}
                    onClick={() => void end(row.id)}
                  >
                    {t('sessions.end')}
                  </button>
                )}
              </div>
              <div className="c-note">
                <bdi>{row.address}</bdi> · {t('sessions.seen', { time: showMoment(row.seen_at) })}
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
