import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import { AccountStatus, isCustomerService, isOffice } from '@tallyroom/contract/codes'
import type { Answer, Input } from '@tallyroom/contract'
import { Link, useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { Switch } from '../../ui/control/switch.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { useSend } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AccountPath } from './account-path.tsx'
import { AbilitiesSection } from './abilities.tsx'
import { LimitsSection } from './limits.tsx'
import { useAbilities } from './use-abilities.ts'
import { useLimits } from './use-limits.ts'
import { SessionsSection } from './sessions-card.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type FieldState, useForm } from '../../ui/form/use-form.ts'
import { AvatarField, PasswordPair, passwordRules } from './fields.tsx'

type Row = Answer<'user/list'>['data'][number]
type Props = {
  row: Row
  mayFreeze: boolean
  /** It is opened beside the account's rights. */
  isAtRights?: boolean
  /** It is opened on the account's page, which has rights, limits and sessions itself. */
  isOnPage?: boolean
  onClose: () => void
}

/** ACC-08. ACC-09: a frozen account is unfrozen here. */
export const EditDialog = ({ row, mayFreeze, isAtRights = false, isOnPage = false, onClose }: Props) => {
  const { t } = useWords()
  const ofPage = useMatches().at(-1)?.staticData.editTitle ?? 'account.edit_user'
  const edit = useSend('user/edit', { refreshes: ['user/list', 'user/view', 'account/view'] })
  const form = useForm(() => draftOf(row), passwordRules(t, true))
  const [wantsAbilities, setWantsAbilities] = useState(false)
  const abilities = useAbilities(row.id, wantsAbilities)
  const [wantsLimits, setWantsLimits] = useState(false)
  const limits = useLimits(row.id, wantsLimits)
  const [reading, setReading] = useState(false)
  // RIGHT-01: customer service that may edit members changes neither their abilities nor their sessions.
  const { may } = useMenu()

  /** One Save for all sections: if the abilities are refused, the rest is saved already. */
  const save = async (draft: Draft) => {
    await edit.mutateAsync(editOf(row, draft, mayFreeze))
    const waits = [await abilities.save(), await limits.save()]
    return waits.includes(true)
  }
  const submit = form.submit(save, (waits) => {
    notify.done(t(waits ? 'change.asked' : 'done.edited'))
    onClose()
  })
  const hasChanges = form.hasChanges || abilities.hasChanges || limits.hasChanges
  return (
    <FormDialog
      side
      title={t(isAtRights ? 'right.abilities' : ofPage)}
      act={t('action.save')}
      form={{ ...form, hasChanges }}
      disabled={reading}
      beside={<Person who={row} />}
      onClose={onClose}
      onSubmit={(event) => {
        const isRight = [form.check(), abilities.check(), limits.check()]
        if (isRight.every(Boolean)) submit(event)
      }}
    >
      <AccountPath id={row.id} />
      <AvatarField
        value={form.draft.thumbnail}
        name={form.draft.nickname || row.username}
        onChange={form.field('thumbnail').onChange}
        onReading={setReading}
      />
      <TextField label={t('account.nickname')} autoFocus maxLength={MAX_NICKNAME} {...form.field('nickname')} />
      <h3 className="dialog-section">{t('account.password')}</h3>
      <PasswordPair
        label={t('account.new_password')}
        again={t('account.password_again')}
        hint={`${t('account.password_keep')} ${t('account.password_once')}`}
        field={form.field}
      />
      {form.needsPassword && form.draft.password && <PasswordAgain {...form.field('current_password')} />}
      {mayFreeze && (
        <SwitchField
          label={t('account.status')}
          on={t('status.normal')}
          off={t('status.frozen')}
          {...form.field('normal')}
        />
      )}
      {!isCustomerService(row.role_id) && (
        <SwitchField
          label={t('account.withdraw_confirm')}
          on={t('account.needed')}
          off={t('account.not_needed')}
          {...form.field('consent')}
        />
      )}
      {may('user/abilities') && <AbilitiesSection state={abilities} onOpen={() => setWantsAbilities(true)} />}
      {isOffice(row.role_id) && !isOnPage && <LimitsSection state={limits} onOpen={() => setWantsLimits(true)} />}
      {isOffice(row.role_id) && !isAtRights && !isOnPage && (
        <p className="abilities abilities-link">
          <UnsavedChanges hasChanges={hasChanges} />
          <Link to="/rights/{-$id}" params={{ id: String(row.id) }}>
            {t('right.pages_of', { name: nameOf(row) })}
          </Link>
        </p>
      )}
      {may('session/listOf') && !isOnPage && <SessionsSection id={row.id} />}
    </FormDialog>
  )
}

const draftOf = (row: Row) => ({
  nickname: row.nickname,
  password: '',
  confirmation: '',
  current_password: '',
  thumbnail: row.thumbnail,
  normal: row.status === AccountStatus.active,
  consent: row.withdraw_confirm === 1,
})
type Draft = ReturnType<typeof draftOf>

type SwitchProps = FieldState<boolean> & { label: string; on: string; off: string }

const SwitchField = ({ label, on, off, value, onChange }: SwitchProps) => (
  <Field label={label}>
    {({ id, ...control }) => (
      <span className="switch-line">
        <Switch
          {...(id ? { id } : {})}
          aria-label={label}
          aria-describedby={control['aria-describedby']}
          checked={value}
          onChange={onChange}
        />
        <span>{value ? on : off}</span>
      </span>
    )}
  </Field>
)

/** The picture is sent only if it has changed; an empty one removes it. */
const editOf = (row: Row, draft: Draft, mayFreeze: boolean): Input<'user/edit'> => ({
  id: row.id,
  nickname: draft.nickname.trim(),
  ...(draft.password ? { password: draft.password, password_confirmation: draft.confirmation } : {}),
  ...(draft.password && draft.current_password ? { current_password: draft.current_password } : {}),
  ...(draft.thumbnail === row.thumbnail ? {} : { thumbnail: draft.thumbnail }),
  ...(mayFreeze && draft.normal !== (row.status === AccountStatus.active)
    ? { status: draft.normal ? (1 as const) : (0 as const) }
    : {}),
  ...(isCustomerService(row.role_id) ? {} : { withdraw_confirm: draft.consent ? (1 as const) : (0 as const) }),
})
