import type { Answer } from '@tallyroom/contract'
import { guardedKinds } from '@tallyroom/contract/limits'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { ChoiceCard, ChoiceForm } from './choice-card.tsx'

type Kinds = Answer<'change/rules'>['kinds']

/** CAPS-04: which changes of the platform need a second account. For admins. */
export const FourEyesCard = () => {
  const { t } = useWords()
  const found = useCall('change/rules', {}, { meta: { optional: true } })
  return (
    <ChoiceCard title={t('change.rules')} what={t('change.rules_what')} found={found}>
      {found.data && <KindsForm key={found.data.kinds.join()} before={found.data.kinds} />}
    </ChoiceCard>
  )
}

const KindsForm = ({ before }: { before: Kinds }) => {
  const { t } = useWords()
  const save = useSend('change/saveRules', { refreshes: ['change/rules', 'change/list', 'userMenu/list'] })
  const { needsPassword, shown } = passwordRefusal('change/saveRules', save.error)
  return (
    <ChoiceForm
      label={t('change.rules')}
      options={guardedKinds.map((kind) => ({ value: kind, label: t(`change.${kind}`) }))}
      before={before}
      error={shown}
      isSaving={save.isPending}
      needsPassword={needsPassword}
      onSave={(kinds, proof, reset) =>
        save.mutate(
          { kinds, ...proof },
          {
            onSuccess: ({ approval }) => {
              if (approval) reset()
              notify.done(t(approval ? 'change.asked' : 'done.saved'))
            },
          },
        )
      }
    />
  )
}
