import type { FormEvent, ReactNode } from 'react'
import type { FormState } from '../ui/form/use-form.ts'
import { Alert } from '../ui/overlay/message.tsx'

type Props = {
  form: FormState
  /** The verb on the button that sends it. */
  act: string
  danger?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** In a sheet, where its fields need room around them. */
  inSheet?: boolean
  /** The way out below the button. */
  leave?: { word: string; run: () => void }
  children: ReactNode
}

/** A form of `useForm` on the member's page. */
export const MemberForm = ({ form, act, danger = false, onSubmit, inSheet = false, leave, children }: Props) => (
  <form className={inSheet ? 'm-own-form' : undefined} onSubmit={onSubmit} noValidate>
    {form.refused && <Alert text={form.refused} />}
    {children}
    <button
      type="submit"
      className={`button m-wide ${danger ? 'button-danger' : 'button-main'}`}
      disabled={form.isSending}
      aria-busy={form.isSending}
    >
      {act}
    </button>
    {leave && (
      <button type="button" className="c-link m-wide" onClick={leave.run}>
        {leave.word}
      </button>
    )}
  </form>
)
