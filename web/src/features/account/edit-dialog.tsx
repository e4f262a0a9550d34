import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import { AccountStatus, isCustomerService, isOffice } from '@tallyroom/contract/codes'
import type { Answer, Input } from '@tallyroom/contract'
import { useMatches } from '@tanstack/react-router'
import { Button, Switch } from 'antd'
import { useState } from 'react'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Field } from '../../ui/form/field.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { Person } from '../../ui/person.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AbilitiesSection } from './abilities.tsx'
import { LimitsSection } from './limits.tsx'
import { useAbilities } from './use-abilities.ts'
import { useLimits } from './use-limits.ts'
import { SessionsSection } from './sessions-card.tsx'
import { AvatarField, PasswordPair, TextField, usePasswordErrors } from './fields.tsx'

type Row = Answer<'user/list'>['data'][number]
type Typed = {
  nickname: string
  password: string
  confirmation: string
  thumbnail: string
  normal: boolean
  consent: boolean
}

/** ACC-08. ACC-09: a frozen account is unfrozen here. */
export const EditDialog = ({ row, mayFreeze, onClose }: { row: Row; mayFreeze: boolean; onClose: () => void }) => {
  const { t } = useWords()
  const title = useMatches().at(-1)?.staticData.editTitle ?? 'account.edit_user'
  const edit = useSend('user/edit', { refreshes: ['user/list', 'user/view'] })
  const passwordErrors = usePasswordErrors()
  const [typed, setTyped] = useState<Typed>(() => ({
    nickname: row.nickname,
    password: '',
    confirmation: '',
    thumbnail: row.thumbnail,
    normal: row.status === AccountStatus.active,
    consent: row.withdraw_confirm === 1,
  }))
  const [errors, setErrors] = useState<{ password?: string; confirmation?: string }>({})
  const [wantsAbilities, setWantsAbilities] = useState(false)
  const abilities = useAbilities(row.id, wantsAbilities)
  const [wantsLimits, setWantsLimits] = useState(false)
  const limits = useLimits(row.id, wantsLimits)
  const [reading, setReading] = useState(false)
  const [proof, setProof] = useState('')
  // RIGHT-01: customer service that may edit members changes neither their abilities nor their sessions.
  const { may } = useMenu()
  const { needsPassword, shown } = passwordRefusal('user/edit', edit.error)
  const hasChanges =
    typed.nickname !== row.nickname ||
    typed.password !== '' ||
    typed.confirmation !== '' ||
    typed.thumbnail !== row.thumbnail ||
    typed.normal !== (row.status === AccountStatus.active) ||
    typed.consent !== (row.withdraw_confirm === 1) ||
    abilities.hasChanges ||
    limits.hasChanges
  const put =
    <K extends keyof Typed>(key: K) =>
    (value: Typed[K]) =>
      setTyped((before) => ({ ...before, [key]: value }))

  const submit = () => {
    if (edit.isPending || abilities.isSaving || limits.isSaving) return
    const found = typed.password || typed.confirmation ? passwordErrors(typed) : {}
    setErrors(found)
    if (!abilities.check() || !limits.check() || Object.keys(found).length) return
    const current_password = typed.password && proof ? { current_password: proof } : {}
    edit.mutate(
      { ...changes(row, typed, mayFreeze), ...current_password },
      {
        // One Save for all sections. If the abilities are refused, the dialog stays, and the rest is saved already.
        onSuccess: () =>
          abilities.save((abilitiesWait) =>
            limits.save((limitsWait) => {
              notify.done(t(abilitiesWait || limitsWait ? 'change.asked' : 'done.edited'))
              onClose()
            }),
          ),
      },
    )
  }
  return (
    <Dialog
      side
      title={t(title)}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={hasChanges}
      error={(shown ?? abilities.saveError ?? limits.saveError)?.message}
      beside={<Person who={row} />}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={edit.isPending || abilities.isSaving} disabled={reading}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <Path id={row.id} />
      <AvatarField
        value={typed.thumbnail}
        name={typed.nickname || row.username}
        onChange={put('thumbnail')}
        onReading={setReading}
      />
      <TextField
        label={t('account.nickname')}
        autoFocus
        maxLength={MAX_NICKNAME}
        value={typed.nickname}
        onChange={put('nickname')}
      />
      <h3 className="dialog-section">{t('account.password')}</h3>
      <PasswordPair
        label={t('account.new_password')}
        again={t('account.password_again')}
        hint={`${t('account.password_keep')} ${t('account.password_once')}`}
        typed={typed}
        errors={errors}
        onChange={(changed) => {
          setTyped((before) => ({ ...before, ...changed }))
          setErrors({})
        }}
      />
      {(needsPassword || proof) && typed.password && <PasswordAgain value={proof} onChange={setProof} />}
      {mayFreeze && (
        <SwitchField
          label={t('account.status')}
          on={t('status.normal')}
          off={t('status.frozen')}
          value={typed.normal}
          onChange={put('normal')}
        />
      )}
      {!isCustomerService(row.role_id) && (
        <SwitchField
          label={t('account.withdraw_confirm')}
          on={t('account.needed')}
          off={t('account.not_needed')}
          value={typed.consent}
          onChange={put('consent')}
        />
      )}
      {may('user/abilities') && <AbilitiesSection state={abilities} onOpen={() => setWantsAbilities(true)} />}
      {isOffice(row.role_id) && <LimitsSection state={limits} onOpen={() => setWantsLimits(true)} />}
      {may('session/listOf') && <SessionsSection id={row.id} />}
    </Dialog>
  )
}

/** The accounts between the user and this account. */
const Path = ({ id }: { id: number }) => {
  const { t } = useWords()
  const { data } = useCall('user/path', { id }, { meta: { optional: true } })
  if (!data || data.path.length < 2) return null
  return (
    <p className="account-path">
      {t('account.path')}:{' '}
      {data.path.map(({ id: step, username }, place) => (
        <span key={step}>
          {place > 0 && <span> › </span>}
          <bdi>{username}</bdi>
        </span>
      ))}
    </p>
  )
}

type SwitchProps = { label: string; on: string; off: string; value: boolean; onChange: (value: boolean) => void }

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
const changes = (row: Row, typed: Typed, mayFreeze: boolean): Input<'user/edit'> => ({
  id: row.id,
  nickname: typed.nickname.trim(),
  ...(typed.password ? { password: typed.password, password_confirmation: typed.confirmation } : {}),
  ...(typed.thumbnail === row.thumbnail ? {} : { thumbnail: typed.thumbnail }),
  ...(mayFreeze && typed.normal !== (row.status === AccountStatus.active)
    ? { status: typed.normal ? (1 as const) : (0 as const) }
    : {}),
  ...(isCustomerService(row.role_id) ? {} : { withdraw_confirm: typed.consent ? (1 as const) : (0 as const) }),
})
