import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import type { StatementHead } from './use-statement.ts'

/** The sums in the order of a statement. What others moved only where one person's movements are listed. */
export const sumsOf = (head: StatementHead) => {
  const others = head.others === '0.0000' ? [] : ([['statement.others', head.others]] as const)
  return [
    ['statement.opening', head.opening],
    ['statement.in', head.in],
    ['statement.out', head.out],
    ...others,
    ['statement.closing', head.closing],
    ['statement.held', head.held],
  ] as const
}

/** The sums as the rows of a list (`dl`). */
export const SumRows = ({ head }: { head: StatementHead }) => {
  const { t } = useWords()
  return sumsOf(head).map(([word, amount]) => (
    <Fact key={word} label={t(word)}>
      <Amount exact value={amount} />
    </Fact>
  ))
}
