import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { nameOf } from '../../ui/person.tsx'
import { TitledTable } from './titled-table.tsx'
import type { StatementHead } from './use-statement.ts'
import { AccountLink } from '../../domain/account-link.tsx'

/** What is held at the end of the period, each amount as a line of its own. */
export const HeldTable = ({ head }: { head: StatementHead }) => {
  const { t } = useWords()
  if (head.held_lines.length === 0) return null
  return (
    <TitledTable
      title={t('statement.held_at_end')}
      after={head.held_cut && <p>{t('statement.held_cut', { count: groupCount(head.held_lines.length) })}</p>}
    >
      <thead>
        <tr>
          <th scope="col">{t('history.created_at')}</th>
          <th scope="col">{t('statement.what')}</th>
          <th scope="col">{t('history.member')}</th>
          <th scope="col">{t('transfer.remark')}</th>
          <th scope="col" className="end">
            {t('transfer.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {head.held_lines.map((line) => (
          <tr key={line.transaction_id}>
            <td className="points">{line.at}</td>
            <td>{t(`statement.held_${line.reason}`)}</td>
            <td>
              <AccountLink who={line.member}>
                <bdi>{nameOf(line.member)}</bdi>
              </AccountLink>
            </td>
            <td>{line.remark}</td>
            <td className="end">
              <Amount exact value={line.amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </TitledTable>
  )
}
