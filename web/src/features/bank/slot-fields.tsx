import { MAX_ACCOUNT_NUMBER, MAX_NAME } from '@tallyroom/contract/lengths'
import { typedCode } from '@tallyroom/contract/text/typed-key'
import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type BankDraft, type Field as Name, numberOf, type Slot } from './draft.ts'

type Props = {
  slot: Slot
  at: number
  memberId: number
  heading: boolean
  banks: Answer<'orderType/list'>['data']
  editable: boolean
  named: boolean
  /** Name of the code; without it the form has no code field. */
  code: string | undefined
  missing: readonly Name[]
  onChange: (changed: Partial<BankDraft>) => void
  onDelete: (() => void) | undefined
}

export const SlotFields = (props: Props) => {
  const { slot, at, memberId, heading, banks, editable, named, code, missing, onChange, onDelete } = props
  const { card, draft } = slot
  const { t } = useWords()
  const [shown, setShown] = useState<string>()
  const errorOf = (name: Name) => (missing.includes(name) ? t('bank.required') : undefined)
  const show = async () => {
    if (!card) return
    try {
      const { account_no } = await call('members/bank-account/show', { member_id: memberId, id: card.id })
      setShown(numberOf(account_no))
    } catch (error) {
      notify.refused(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <fieldset className="bank-slot">
      {heading && (
        <legend>
          {t('bank.slot', { n: at + 1 })}
          {card?.is_first === 1 && <span className="chip">{t('bank.first')}</span>}
        </legend>
      )}
      {card?.held_until && (
        <p className="bank-held">
          <Icon name="clock" size={16} />
          {t('bank.held', { at: showMoment(card.held_until) })}
        </p>
      )}
      <Field label={t('bank.bank')} required={editable} error={errorOf('bank')}>
        {(control) => (
          <select
            {...control}
            // Without it the dialog starts on its cross.
            autoFocus={at === 0}
            className="select"
            disabled={!editable}
            value={draft.bank}
            onChange={(event) => onChange({ bank: event.target.value })}
          >
            <option value="">{t('bank.choose')}</option>
            {banks
              .filter((bank) => bank.status === 1 || bank.id === card?.bank_id)
              .map((bank) => (
                <option key={bank.id} value={bank.id}>
                  {bank.name}
                </option>
              ))}
          </select>
        )}
      </Field>
      {(!card || card.account_name !== undefined) && (
        <TextField
          label={t('bank.account_name')}
          required={named}
          error={errorOf('name')}
          hint={editable && !named ? t('bank.name_of_first') : undefined}
          dir="auto"
          maxLength={MAX_NAME}
          autoComplete="off"
          disabled={!named || !editable}
          value={draft.name}
          onChange={(name) => onChange({ name })}
        />
      )}
      {code !== undefined && (
        <TextField
          label={code}
          required={editable}
          error={errorOf('code')}
          hint={editable ? t('bank.digits') : undefined}
          inputMode="numeric"
          maxLength={MAX_ACCOUNT_NUMBER}
          autoComplete="off"
          disabled={!editable}
          value={draft.code}
          // A letter stays and is refused: without it the digits would be another code.
          onChange={(typed) => onChange({ code: typedCode(typed) })}
        />
      )}
      <TextField
        label={t('bank.account_no')}
        required={editable && !card}
        error={errorOf('number')}
        hint={editable && card ? t('bank.kept') : undefined}
        className="points"
        maxLength={MAX_ACCOUNT_NUMBER}
        autoComplete="off"
        disabled={!editable}
        placeholder={card ? numberOf(card.account_no) : ''}
        value={draft.number}
        onChange={(number) => onChange({ number })}
      />
      {card && (
        <div className="bank-buttons">
          {shown === undefined ? (
            <Button small title={t('bank.show_hint')} onClick={() => void show()}>
              {t('bank.show')}
            </Button>
          ) : (
            <output className="points bank-number">{shown}</output>
          )}
          {editable && onDelete && (
            <Button small danger onClick={onDelete}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
