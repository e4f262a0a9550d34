import { FlowStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'

type Limits = Answer<'member/flowLimit'>

/** The member's due turnover by transfer. Renders nothing when none is due. */
export const FlowLimits = ({ memberId, reloadKey }: { memberId: number; reloadKey: unknown }) => {
  const { t } = useWords()
  const [limits, setLimits] = useState<Limits>()
  useEffect(() => {
    // `reloadKey`: points have moved, so load it again.
    let isMounted = true
    call('member/flowLimit', { member_id: memberId, per_page: 50 })
      .then((found) => isMounted && setLimits(found))
      // No error here: the sheet shows the alert of the history.
      .catch(() => undefined)
    return () => {
      isMounted = false
    }
  }, [memberId, reloadKey])
  const open = limits?.data.filter(({ status }) => status === FlowStatus.open) ?? []
  if (!limits || open.length === 0) return null
  return (
    <section>
      <h3>
        {t('member.flow')} <span className="points">{exactAmount(limits.open)}</span>
      </h3>
      <ul className="m-history">
        {open.map((row) => (
          <li key={row.transaction_id}>
            <div className="m-history-top">
              <span className="points">
                {t('member.flow_of', {
                  valid: exactAmount(row.valid_flowAmount),
                  limit: exactAmount(row.limit_flowAmount),
                })}
              </span>
              <time className="c-note">{row.operation_time}</time>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
