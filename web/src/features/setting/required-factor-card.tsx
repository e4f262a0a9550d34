import { roleWords } from '@tallyroom/contract/words/code-words'
import { Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { ChoiceCard, ChoiceForm } from './choice-card.tsx'

type Roles = Answer<'factor/required'>['roles']
const offered: Roles = [Role.admin, Role.agent, Role.customerService]

/** PASS-03: for the top account. */
export const RequiredFactorCard = () => {
  const { t } = useWords()
  const found = useCall('factor/required', {}, { meta: { optional: true } })
  return (
    <ChoiceCard title={t('required.title')} what={t('required.what')} found={found}>
      {found.data && <RolesForm key={found.data.roles.join()} before={found.data.roles} />}
    </ChoiceCard>
  )
}

const RolesForm = ({ before }: { before: Roles }) => {
  const { t } = useWords()
  const save = useSend('factor/require', { refreshes: ['factor/required'] })
  const { needsPassword, shown } = passwordRefusal('factor/require', save.error)
  return (
    <ChoiceForm
      label={t('required.title')}
      options={offered.map((role) => ({ value: role, label: t(roleWords[role] ?? 'role.admin') }))}
      before={before}
      error={shown}
      isSaving={save.isPending}
      needsPassword={needsPassword}
      onSave={(roles, proof) => save.mutate({ roles, ...proof }, { onSuccess: () => notify.done(t('done.saved')) })}
    />
  )
}
