import type { Answer } from '@tallyroom/contract'
import { MAX_ACCOUNT_NUMBER, MAX_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { shortAmount } from '@tallyroom/contract/text/typed-amount'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { PicturePicker } from '../../media/picture-picker.tsx'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Check } from '../../ui/form/check.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { HoursFields } from '../../ui/form/hours-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Rules, useForm } from '../../ui/form/use-form.ts'
import { wholeNumber } from '../../ui/form/whole-number.ts'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import './receiving.css'

type Account = Answer<'receiving/list'>['data'][number]
/** Two digits are enough to order twenty accounts. */
const MAX_POSITION = 99
const DAY_SHIFT = { from: '08:00', until: '20:00' }

/** CASH-08: where the members of this group pay. */
export const ReceivingCard = () => {
  const { t } = useWords()
  const list = useCall('receiving/list', {})
  const [edited, setEdited] = useState<Account | 'new'>()
  const rows = list.data?.data ?? []
  return (
    <section className="card receiving" aria-labelledby="receiving">
      <h2 id="receiving">{t('receiving.title')}</h2>
      <p className="card-hint">{t('receiving.hint')}</p>
      {list.error && <Alert text={list.error.message} />}
      {list.data && rows.length === 0 && <p className="card-hint">{t('receiving.empty')}</p>}
      <ul className="receiving-list">
        {rows.map((account) => (
          <AccountLine key={account.id} account={account} onEdit={() => setEdited(account)} />
        ))}
      </ul>
      <Button icon="plus" onClick={() => setEdited('new')}>
        {t('receiving.add')}
      </Button>
      {edited && (
        <AccountDialog
          account={edited === 'new' ? undefined : edited}
          last={Math.max(-1, ...rows.map(({ position }) => position))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

const AccountLine = ({ account, onEdit }: { account: Account; onEdit: () => void }) => {
  const { t } = useWords()
  const { bank, account_no, account_name, times, day_limit, status, qr } = account
  return (
    <li data-off={status === 0 || undefined}>
      {qr && <img src={mediaSrc(qr)} alt={t('receiving.qr')} loading="lazy" />}
      <span className="receiving-text">
        <bdi>
          {bank} <span className="points">{account_no}</span>
        </bdi>
        <bdi className="receiving-more">{account_name}</bdi>
        <span className="receiving-more">
          {status === 0 && <span>{t('receiving.off')}</span>}
          {times && (
            <span className="points">
              {times.from}–{times.until}
            </span>
          )}
          {day_limit && (
            <span>
              {t('receiving.day_limit')}: <Amount value={day_limit} />
            </span>
          )}
        </span>
      </span>
      <Button
        plain
        icon="edit"
        aria-label={t('receiving.edit', { name: `${bank} ${account_no}` })}
        title={t('action.edit')}
        onClick={onEdit}
      />
    </li>
  )
}

const draftOf = (account: Account | undefined, last: number) => ({
  bank: account?.bank ?? '',
  account_name: account?.account_name ?? '',
  account_no: account?.account_no ?? '',
  qr: account?.qr ?? '',
  times: account?.times ?? null,
  day_limit: account?.day_limit ? shortAmount(account.day_limit) : '',
  position: String(account?.position ?? Math.min(last + 1, MAX_POSITION)),
  isOffered: account?.status !== 0,
  current_password: '',
})
type Draft = ReturnType<typeof draftOf>

const rulesOf = (t: Translate): Rules<Draft> => {
  const needed = (text: string) => isBlank(text) && t('field.needed')
  return {
    bank: needed,
    account_name: needed,
    account_no: needed,
    times: (times) => times !== null && times.from === times.until && t('right.hours_same'),
    day_limit: (text) => text !== '' && amountError(t, text),
    position: (text) => !(wholeNumber(text) <= MAX_POSITION) && t('field.needed'),
  }
}

type DialogProps = { account: Account | undefined; last: number; onClose: () => void }
const AccountDialog = ({ account, last, onClose }: DialogProps) => {
  const { t } = useWords()
  const save = useSend('receiving/save', { refreshes: ['receiving/list', 'cash/day', 'change/list'] })
  const form = useForm(() => draftOf(account, last), rulesOf(t))
  const [reading, setReading] = useState(false)
  const { draft, field } = form
  const submit = form.submit(
    ({ qr, day_limit, position, isOffered, current_password, ...typed }) =>
      save.mutateAsync({
        ...typed,
        ...(account ? { id: account.id } : {}),
        ...(qr === (account?.qr ?? '') ? {} : { qr }),
        day_limit: amountToSend(day_limit) ?? null,
        position: wholeNumber(position),
        status: isOffered ? 1 : 0,
        ...(current_password ? { current_password } : {}),
      }),
    ({ approval }) => {
      notify.done(t(approval ? 'change.asked' : 'done.saved'))
      onClose()
    },
  )
  return (
    <FormDialog
      title={account ? t('receiving.edit', { name: account.bank }) : t('receiving.add')}
      act={t('action.save')}
      form={form}
      disabled={reading}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label={t('bank.bank')} required autoFocus dir="auto" maxLength={MAX_NAME} {...field('bank')} />
      <TextField label={t('bank.account_name')} required dir="auto" maxLength={MAX_NAME} {...field('account_name')} />
      <TextField label={t('bank.account_no')} required maxLength={MAX_ACCOUNT_NUMBER} {...field('account_no')} />
      <div className="field">
        <span className="field-label">{t('receiving.qr')}</span>
        <span className="receiving-picture">
          {draft.qr && <img src={mediaSrc(draft.qr)} alt={t('receiving.qr')} />}
          <PicturePicker label={t('receiving.qr')} onPicked={field('qr').onChange} onReading={setReading} />
          {draft.qr && (
            <Button plain onClick={() => form.set({ qr: '' })}>
              {t('account.remove_picture')}
            </Button>
          )}
        </span>
      </div>
      <Field label={t('receiving.day_limit')} error={field('day_limit').error}>
        {(control) => (
          <AmountInput
            {...control}
            placeholder={t('points.unlimited')}
            value={draft.day_limit}
            onChange={field('day_limit').onChange}
          />
        )}
      </Field>
      <p className="field">
        <Check isOn={draft.times !== null} onChange={(on) => form.set({ times: on ? DAY_SHIFT : null })}>
          {t('receiving.times')}
        </Check>
      </p>
      {draft.times && (
        <HoursFields
          hours={draft.times}
          isWrong={field('times').error !== undefined}
          onChange={field('times').onChange}
        />
      )}
      <TextField
        label={t('receiving.position')}
        inputMode="numeric"
        maxLength={2}
        className="points"
        {...field('position')}
      />
      <p className="field">
        <Check isOn={draft.isOffered} onChange={(isOffered) => form.set({ isOffered })}>
          {t('bank.offered')}
        </Check>
      </p>
      {account?.changed_at && <p className="card-hint">{showMoment(account.changed_at)}</p>}
      {form.needsPassword && <PasswordAgain {...field('current_password')} />}
    </FormDialog>
  )
}
