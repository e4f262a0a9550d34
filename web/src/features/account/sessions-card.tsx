import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { deviceOf } from '../../lib/device.ts'
import './self.css'

type Row = Answer<'session/list'>['data'][number]

/** The account's sessions. Ends one of them, or all others. */
export const SessionsCard = () => {
  const { t } = useWords()
  const list = useCall('session/list', {}, { meta: { optional: true } })
  const [isConfirming, setConfirming] = useState(false)
  const rows = list.data?.data ?? []
  // A session opened by an agent's link may not end sessions.
  const may = rows.some(({ current, agent_login }) => current && !agent_login)
  return (
    <section className="card">
      <h2>{t('sessions.title')}</h2>
      {list.error && !list.data && (
        <>
          <Alert text={list.error.message} />
          <Button onClick={() => void list.refetch()}>{t('action.try_again')}</Button>
        </>
      )}
      {list.isPending && <span className="bar" aria-busy="true" />}
      <ul className="own-rows">
        {rows.map((row) => (
          <SessionRow key={row.id} row={row} may={may} />
        ))}
      </ul>
      {may && rows.length > 1 && (
        <div className="card-buttons">
          <Button danger onClick={() => setConfirming(true)}>
            {t('sessions.end_others')}
          </Button>
        </div>
      )}
      {isConfirming && <EndOthersDialog onClose={() => setConfirming(false)} />}
    </section>
  )
}

const SessionRow = ({ row, may }: { row: Row; may: boolean }) => {
  const end = useSend('session/end', { refreshes: ['session/list'] })
  return <SessionLine row={row} may={may} end={end} onEnd={(options) => end.mutate({ id: row.id }, options)} />
}

/** The sessions of an account in the user's downline, each of which can be ended. Loaded when opened. */
export const SessionsSection = ({ id }: { id: number }) => {
  const { t } = useWords()
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className="abilities" onToggle={(event) => setWasOpened((before) => before || event.currentTarget.open)}>
      <summary>{t('sessions.of_account')}</summary>
      {wasOpened && <SessionsOf id={id} />}
    </details>
  )
}

/** The sessions of an account below. */
export const SessionsOf = ({ id }: { id: number }) => {
  const { t } = useWords()
  const list = useCall('session/listOf', { id }, { meta: { optional: true } })
  const end = useSend('session/endOf', { refreshes: ['session/listOf'] })
  if (list.error && !list.data) return <Alert text={list.error.message} />
  if (!list.data) return <p role="status">{t('table.loading')}</p>
  if (list.data.data.length === 0) return <p className="card-hint">{t('sessions.nowhere')}</p>
  return (
    <ul className="own-rows">
      {list.data.data.map((row) => (
        <SessionLine
          key={row.id}
          row={row}
          may
          end={{
            error: end.variables?.session_id === row.id ? end.error : null,
            isPending: end.isPending && end.variables.session_id === row.id,
          }}
          onEnd={(options) => end.mutate({ id, session_id: row.id }, options)}
        />
      ))}
    </ul>
  )
}

type LineProps = {
  row: Row
  may: boolean
  end: { error: Error | null; isPending: boolean }
  onEnd: (options: { onSuccess: () => void }) => void
}

const SessionLine = ({ row, may, end, onEnd }: LineProps) => {
  const { t } = useWords()
  const device = deviceOf(row.user_agent) || t('sessions.unknown')
  const began = showMoment(row.created_at)
  return (
    <li>
      <div className="own-row-text">
        <p className="own-row-name">
          <bdi>{device}</bdi>
          {row.current && <span className="chip chip-in">{t('sessions.this')}</span>}
          {row.agent_login && <span className="chip">{t('sessions.agent')}</span>}
        </p>
        <p className="own-row-more">
          <bdi>{row.address}</bdi>
          <span>{t('sessions.began', { time: began })}</span>
          <span>{t('sessions.seen', { time: showMoment(row.seen_at) })}</span>
        </p>
        {end.error && <Alert text={end.error.message} />}
      </div>
      {may && !row.current && (
        <Button
          busy={end.isPending}
          // Two sessions of one browser differ in nothing but the time.
          aria-label={t('sessions.end_named', { device, address: `${row.address}, ${began}` })}
          onClick={() => onEnd({ onSuccess: () => notify.done(t('sessions.ended', { n: 1 })) })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

const EndOthersDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  const end = useSend('session/endOthers', { refreshes: ['session/list'] })
  const onSuccess = ({ ended }: { ended: number }) => {
    notify.done(t('sessions.ended', { n: ended }))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('sessions.end_others')}
      act={t('sessions.end_others')}
      danger
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({}, { onSuccess })}
      onClose={onClose}
    >
      <p>{t('sessions.end_others_what')}</p>
    </ConfirmDialog>
  )
}
