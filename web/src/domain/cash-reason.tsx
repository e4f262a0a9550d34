import type { CashReason as Code } from '@tallyroom/contract/cash'
import { useWords } from '../i18n/i18n.ts'

type Props = { reason_code?: Code | undefined; reason: string }

/** Why a request was refused: the usual reason in the reader's language, and the words of who refused it. */
export const CashReason = ({ reason_code: code, reason }: Props) => {
  const { t } = useWords()
  return (
    <>
      {code && <div>{t(`cash.reason_${code}`)}</div>}
      {reason && <div dir="auto">{reason}</div>}
    </>
  )
}
