import { roleWords } from '@tallyroom/contract/words/code-words'
import { useWords } from '../../i18n/i18n.ts'
import { exactText } from '../../ui/amount.tsx'
import { firstLetter, nameOf } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { HeldTable } from './held-table.tsx'
import { SheetSeal } from './seal-part.tsx'
import { sumsOf } from './sum-rows.tsx'
import type { Line, StatementHead, StatementInput } from './use-statement.ts'
import { kindBeside, lineText, numberText, periodText, scopeWords, walletWords } from './words.ts'

type Props = { head: StatementHead; lines: readonly Line[]; input: StatementInput }

/** The statement on paper: seen in print only. */
export const Sheet = (props: Props) => (
  <article className="statement-sheet">
    <SheetHead {...props} />
    <SheetSums head={props.head} />
    <SheetLines {...props} />
    <HeldTable head={props.head} />
    <SheetSeal head={props.head} />
  </article>
)

const SheetHead = ({ head, input }: Props) => {
  const { t } = useWords()
  const { account, upline } = head
  const above = nameOf(upline)
  return (
    <>
      <header className="sheet-head">
        <div className="sheet-mark">
          <span className="sheet-letter" aria-hidden="true">
            {firstLetter(head.group)}
          </span>
          <div>
            <strong>{head.group}</strong>
            <span>{t('statement.title')}</span>
          </div>
        </div>
        <dl>
          <dt>{t('statement.drawn_up')}</dt>
          <dd>{head.drawn_up}</dd>
          <dt>{t('statement.number')}</dt>
          <dd>{numberText(account.username, input)}</dd>
        </dl>
      </header>
      <section className="sheet-who">
        <div>
          <span>{t('statement.account')}</span>
          <strong>{nameOf(account)}</strong>
          <span>
            {account.username} · {t(roleWords[account.role_id] ?? 'role.member')}
            {above && <span>{` · ${t('statement.under', { name: above })}`}</span>}
          </span>
        </div>
        <div>
          <span>{t('statement.wallet')}</span>
          <strong>{t(walletWords[input.wallet ?? 0])}</strong>
          <span>
            {t(scopeWords[input.scope ?? 'own'])}
            {input.by && <span>{` · ${t('statement.by')}: ${input.by}`}</span>}
          </span>
        </div>
        <div>
          <span>{t('range.presets')}</span>
          <strong>{periodText(input)}</strong>
          {head.time_zone && <span>{t('right.zone', { zone: head.time_zone })}</span>}
          {head.closed_until && <span>{t('period.until', { day: head.closed_until })}</span>}
        </div>
      </section>
    </>
  )
}

const text = (amount: string) => exactText(pointsOf(amount))

const SheetSums = ({ head }: { head: StatementHead }) => {
  const { t } = useWords()
  return (
    <dl className="sheet-sums">
      {sumsOf(head).map(([word, amount]) => (
        <div key={word}>
          <dt>{t(word)}</dt>
          <dd>{text(amount)}</dd>
        </div>
      ))}
    </dl>
  )
}

const SheetLines = ({ head, lines, input }: Props) => {
  const { t } = useWords()
  const titles = ['history.created_at', 'history.id', 'statement.what', 'transfer.remark'] as const
  const amounts = ['statement.in', 'statement.out', 'history.balance'] as const
  return (
    <table className="sheet-lines">
      <thead>
        <tr>
          {titles.map((word) => (
            <th key={word} scope="col">
              {t(word)}
            </th>
          ))}
          {amounts.map((word) => (
            <th key={word} scope="col" className="end">
              {t(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr className="sheet-edge">
          <td>{input.start_date}</td>
          <td />
          <td colSpan={4}>{t('statement.opening')}</td>
          <td className="end">{text(head.opening)}</td>
        </tr>
        {lines.map((line) => (
          <SheetLine key={line.id} line={line} isOfMany={input.scope !== 'own'} />
        ))}
        <tr className="sheet-edge">
          <td>{input.end_date}</td>
          <td />
          <td colSpan={2}>{t('statement.closing')}</td>
          <td className="end">{text(head.in)}</td>
          <td className="end">{text(head.out)}</td>
          <td className="end">{text(head.closing)}</td>
        </tr>
      </tbody>
    </table>
  )
}

const SheetLine = ({ line, isOfMany }: { line: Line; isOfMany: boolean }) => {
  const { t } = useWords()
  const isOut = line.amount.startsWith('-')
  const amount = text(line.amount.replace('-', ''))
  const { account } = line
  return (
    <tr>
      <td>{line.at.slice(0, 16)}</td>
      <td>…{line.transaction_id.slice(-6)}</td>
      <td>
        {isOfMany && (
          <>
            <bdi>{nameOf(account)}</bdi>
            {' · '}
          </>
        )}
        <span>{[lineText(t, line), kindBeside(t, line)].filter(Boolean).join(' · ')}</span>
      </td>
      <td>{line.remark}</td>
      <td className="end">{!isOut && amount}</td>
      <td className="end">{isOut && amount}</td>
      <td className="end">{line.balance === null ? '' : text(line.balance)}</td>
    </tr>
  )
}
