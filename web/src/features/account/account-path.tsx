import { useCall } from '../../api/use-call.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { useWords } from '../../i18n/i18n.ts'

/** The accounts between the user and this account. `leads`: each name leads to its page. */
export const AccountPath = ({ id, leads = false }: { id: number; leads?: boolean }) => {
  const { t } = useWords()
  const { data } = useCall('user/path', { id }, { meta: { optional: true } })
  if (!data || data.path.length < 2) return null
  return (
    <p className="account-path">
      {t('account.path')}:{' '}
      {data.path.map((step, index) => (
        <span key={step.id}>
          {index > 0 && <span> › </span>}
          {leads && step.id !== id ? (
            <AccountLink who={step}>
              <bdi>{step.username}</bdi>
            </AccountLink>
          ) : (
            <bdi>{step.username}</bdi>
          )}
        </span>
      ))}
    </p>
  )
}
