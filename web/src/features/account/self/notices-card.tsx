import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { showMoment } from '../../../i18n/time.ts'
import { deviceOf } from '../../../lib/device.ts'
import '../self.css'

/** PASS-04: what has happened to the security of the own account. Without any there is no card. */
export const NoticesCard = () => {
  const { t } = useWords()
  const list = useCall('security/list', {}, { meta: { optional: true } })
  const rows = list.data?.data ?? []
  if (rows.length === 0) return null
  return (
    <section className="card">
      <h2>{t('notice.title')}</h2>
      <ul className="own-rows">
        {rows.map(({ id, kind, user_agent, address, created_at }) => (
          <li key={id}>
            <div className="own-row-text">
              <p className="own-row-name">{t(`notice.${kind}`)}</p>
              <p className="own-row-more">
                <bdi>{deviceOf(user_agent) || t('sessions.unknown')}</bdi>
                <bdi>{address}</bdi>
                <span>{showMoment(created_at)}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
