import type { Answer } from '@tallyroom/contract'
import { guardedKinds } from '@tallyroom/contract/limits'
import { refusedBy } from '../../api/call.ts'
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
  const asks = refusedBy('change/saveRules', save.error, 'session.needs_password')
  return (
    <ChoiceForm
      label={t('change.rules')}
      options={guardedKinds.map((kind) => ({ value: kind, label: t(`change.${kind}`) }))}
      before={before}
      error={asks ? null : save.error}
      isSaving={save.isPending}
      needsPassword={asks || refusedBy('change/saveRules', save.error, 'session.wrong_password')}
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
