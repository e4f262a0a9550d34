import { MAX_PASSKEY_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { call, newRequestId } from '../../../api/call.ts'
import { addPasskey } from '../../../api/passkey.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { deviceOf } from '../../../lib/device.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { type FactorView, Proof, proofFields, RemoveDialog } from './factor-proof.tsx'
import { type CloseProps, Step, useAction, useFields } from './factor-step.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'

type PasskeyRow = Answer<'passkey/list'>['data'][number]

/** Steps: the proof and a name, then the device asks, then for a first second factor the recovery codes. */
export const AddPasskeyDialog = ({ own, onClose }: CloseProps & { own: FactorView }) => {
  const { t } = useWords()
  const action = useAction()
  const typed = useFields(...proofFields(own))
  const [name, setName] = useState(() => deviceOf(navigator.userAgent))
  const [codes, setCodes] = useState<string[]>()
  const add = () =>
    typed.validate() &&
    action.run(async () => {
      const proof = { password: typed.value('password'), code: typed.value('code') }
      const { recovery_codes } = await addPasskey(name.trim() || t('passkey.title'), proof)
      if (recovery_codes.length) setCodes(recovery_codes)
      else finish()
    })
  // Not while the codes are shown: on a phone it would cover their buttons.
  const finish = () => {
    notify.done(t('passkey.added'))
    onClose()
  }
  return (
    <Step
      title={t('passkey.add')}
      action={action}
      submitLabel={t('action.next')}
      onSubmit={add}
      onClose={codes ? finish : onClose}
      codes={codes}
    >
      <Proof own={own} action={action} typed={typed} />
      <TextField
        label={t('passkey.name')}
        hint={t('passkey.name_hint')}
        maxLength={MAX_PASSKEY_NAME}
        value={name}
        onChange={setName}
      />
    </Step>
  )
}

export const RenamePasskeyDialog = ({ row, onClose }: CloseProps & { row: PasskeyRow }) => {
  const { t } = useWords()
  const action = useAction()
  const [name, setName] = useState(row.name)
  const [error, setError] = useState<string>()
  const save = () => {
    if (isBlank(name)) return setError(t('field.needed'))
    action.run(async () => {
      await call('passkey/rename', { id: row.id, name: name.trim(), request_id: newRequestId() })
      notify.done(t('done.saved'))
      onClose()
    })
  }
  return (
    <Step
      title={t('passkey.rename_title')}
      action={action}
      submitLabel={t('action.save')}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('passkey.name')}
        required
        autoFocus
        maxLength={MAX_PASSKEY_NAME}
        value={name}
        error={error}
        onChange={(text) => {
          setName(text)
          setError(undefined)
        }}
      />
    </Step>
  )
}

type RemoveProps = CloseProps & { own: FactorView; row: PasskeyRow }

export const RemovePasskeyDialog = ({ own, row, onClose }: RemoveProps) => {
  const { t } = useWords()
  return (
    <RemoveDialog
      own={own}
      onClose={onClose}
      title={t('passkey.remove_title')}
      submitLabel={t('passkey.remove')}
      what={t('passkey.remove_what', { name: row.name })}
      work={async (proof) => {
        await call('passkey/remove', { id: row.id, ...proof })
        return t('passkey.removed')
      }}
    />
  )
}
