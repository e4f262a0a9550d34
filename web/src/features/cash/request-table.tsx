import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import type { RefObject } from 'react'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { CashRequestRow } from './request-row.tsx'
import './cash.css'

type Props = {
  rows: readonly CashRow[]
  table?: RefObject<HTMLTableElement | null>
  opened: number | undefined
  /** When those that wait longest were asked for. */
  loudest: ReadonlySet<string>
  onOpen: (id: number) => void
}

/** Requests, each of which opens beside the page. */
export const CashRequestTable = ({ rows, table, opened, loudest, onOpen }: Props) => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  return (
    <table ref={table} className="request-table" data-rows="tbody tr">
      <thead>
        <tr>
          <th>{t('requests.waiting')}</th>
          <th>{t('history.member')}</th>
          <th>{t('requests.points')}</th>
          <th className="request-right">{t('transfer.amount')}</th>
          <th>{t('requests.account')}</th>
          <th>{t('requests.check')}</th>
          <th>{t('requests.taken')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CashRequestRow
            key={row.id}
            row={row}
            ownId={own.data?.id}
            isOpened={row.id === opened}
            isLoud={loudest.has(row.asked_at)}
            onOpen={() => onOpen(row.id)}
          />
        ))}
      </tbody>
    </table>
  )
}
