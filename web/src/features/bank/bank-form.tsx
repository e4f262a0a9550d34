import type { Answer, Input } from '@tallyroom/contract'
import { useState } from 'react'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { Button } from '../../ui/control/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import {
  type BankDraft,
  type BankOwner,
  type Cards,
  draftOf,
  isChanged,
  missingFields,
  type Slot,
  accountInput,
  DEFAULT_CODE_NAME,
} from './draft.ts'
import { SlotFields } from './slot-fields.tsx'

type Props = {
  room: BankOwner
  several: boolean
  slots: number
  banks: Answer<'orderType/list'>['data']
  cards: Cards
  typed: boolean
  onTyped: (typed: boolean) => void
  onClose: () => void
}

const refreshes = ['members/bank-card', 'members/bank-account'] as const

export const BankForm = ({ room, several, slots, banks, cards, typed, onTyped, onClose }: Props) => {
  const { t } = useWords()
  const save = useSend('members/bank-card/create', { refreshes: [...refreshes] })
  const saveOne = useSend('members/bank-account/create', { refreshes: [...refreshes] })
  const remove = useSend('members/bank-card/delete', { refreshes: [...refreshes] })
  const editable = cards.editable === 1
  const [list, setList] = useState<readonly Slot[]>(() => slotsOf(cards, editable ? slots : 0))
  const [tried, setTried] = useState(false)
  const [deleting, setDeleting] = useState<number>()
  const [password, setPassword] = useState('')
  const coded = cards.enable_bsb_code === 1
  const error = deleting === undefined ? (several ? save.error : saveOne.error) : remove.error
  const sending = save.isPending || saveOne.isPending || remove.isPending
  const { needsPassword, shown } = passwordRefusal('members/bank-card/create', error)
  const proof = password ? { current_password: password } : {}

  /** BANK-03: other accounts have the name of the first one, unless they may have their own. */
  const isNamed = ({ card }: Slot, at: number) =>
    editable && (at === 0 || (card ?? cards.data[0])?.account_name_modify === 1)
  const setSlot = (at: number, changed: Partial<BankDraft>) => {
    const next = list.map((slot, index) => (index === at ? { ...slot, draft: { ...slot.draft, ...changed } } : slot))
    setList(next)
    onTyped(next.some(isChanged))
  }
  // When every slot is empty, the first one is required, so that the form shows what it needs.
  const wanted = list.flatMap((slot, at) =>
    isChanged(slot) || (at === 0 && !slot.card) ? [{ slot, at, named: isNamed(slot, at) }] : [],
  )
  const done = { onSuccess: () => finish(t('done.bank')) }
  const finish = (words: string) => {
    onTyped(false)
    notify.done(words)
    onClose()
  }
  const submit = () => {
    if (sending || !editable) return
    if (deleting !== undefined) {
      const afterDelete = { onSuccess: () => finish(t('done.bank')) }
      return remove.mutate({ member_id: room.member_id, id: deleting, ...proof }, afterDelete)
    }
    setTried(true)
    if (wanted.some(({ slot, named }) => missingFields(slot, named, coded).length)) return
    if (!wanted.length) return onClose()
    const accounts = wanted.map(({ slot, named }) => accountInput(slot, named, coded))
    if (several) return save.mutate({ member_id: room.member_id, accounts, ...proof }, done)
    const { id, ...account } = accounts[0] as Input<'members/bank-card/create'>['accounts'][number]
    const old = id === undefined ? {} : { exist_data_id: id }
    saveOne.mutate({ member_id: room.member_id, ...old, ...account, ...proof }, done)
  }
  return (
    <Dialog
      title={t(several ? 'bank.titles' : 'bank.title')}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={typed}
      buttons={
        deleting === undefined ? (
          <>
            <Button autoFocus={!editable} onClick={onClose}>
              {t(editable ? 'action.cancel' : 'action.close')}
            </Button>
            {editable && (
              <Button main submits busy={sending}>
                {t('action.save')}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button autoFocus onClick={() => setDeleting(undefined)}>
              {t('action.cancel')}
            </Button>
            <Button main danger submits busy={sending}>
              {t('action.delete')}
            </Button>
          </>
        )
      }
    >
      <p className="bank-whose">
        <bdi>{room.name}</bdi> <bdi className="person-username">({room.partner_username})</bdi>
      </p>
      {shown && <Alert text={shown.message} />}
      {editable && !banks.some(({ status }) => status === 1) && <Alert text={t('bank.no_banks')} />}
      {list.length === 0 && <p role="status">{t('bank.none')}</p>}
      {list.map((slot, at) =>
        deleting !== undefined && slot.card?.id !== deleting ? null : (
          <SlotFields
            key={slot.card?.id ?? `new ${at}`}
            slot={slot}
            at={at}
            memberId={room.member_id}
            heading={several}
            banks={banks}
            editable={editable && deleting === undefined}
            named={isNamed(slot, at)}
            code={coded ? cards.bsb_code_alias || DEFAULT_CODE_NAME : undefined}
            missing={tried && wanted.some((one) => one.at === at) ? missingFields(slot, isNamed(slot, at), coded) : []}
            onChange={(changed) => setSlot(at, changed)}
            onDelete={several && slot.card ? () => setDeleting(slot.card?.id) : undefined}
          />
        ),
      )}
      {deleting !== undefined && <p role="alert">{t('bank.delete_sure')}</p>}
      {(needsPassword || password) && <PasswordAgain value={password} onChange={setPassword} />}
    </Dialog>
  )
}

const slotsOf = ({ data }: Cards, slots: number): Slot[] =>
  Array.from({ length: Math.max(slots, data.length) }, (_, at) => ({ card: data[at], draft: draftOf(data[at]) }))
