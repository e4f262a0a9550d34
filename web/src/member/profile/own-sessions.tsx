import type { Answer } from '@tallyroom/contract'
import { useCallback, useEffect, useState } from 'react'
import { call, newRequestId } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { deviceOf } from '../../lib/device.ts'
import { Alert } from '../../ui/overlay/message.tsx'

type Row = Answer<'session/list'>['data'][number]

/** Where the member is signed in. Each other session can be ended. */
export const OwnSessions = () => {
  const { t } = useWords()
  const [rows, setRows] = useState<Row[]>()
  const [trouble, setTrouble] = useState('')
  const [ending, setEnding] = useState('')

  const attempt = useCallback(async (work: () => Promise<void>) => {
    setTrouble('')
    try {
      await work()
    } catch (error) {
      setTrouble(errorText(error))
    }
  }, [])
  const load = useCallback(
    () =>
      attempt(async () => {
        const { data } = await call('session/list', {})
        setRows(data)
      }),
    [attempt],
  )
  useEffect(() => void load(), [load])

  const end = async (id: string) => {
    setEnding(id)
    await attempt(async () => {
      await call('session/end', { id, request_id: newRequestId() })
      setRows((now) => now?.filter((row) => row.id !== id))
    })
    setEnding('')
  }
  return (
    <>
      {trouble && <Alert text={trouble} />}
      {!rows && !trouble && <p role="status">{t('chat.loading')}</p>}
      {!rows && trouble && (
        <button type="button" className="button" onClick={() => void load()}>
          {t('action.try_again')}
        </button>
      )}
      <ul className="m-history">
        {rows?.map((row) => {
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
