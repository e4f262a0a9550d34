import { type BellKind, bellKinds } from '@tallyroom/contract/desk/bell'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Check } from '../../ui/form/check.tsx'
import { Alert } from '../../ui/overlay/message.tsx'

/** Of which kinds the person's devices are notified. */
export const PushChoice = ({ pushes }: { pushes: readonly BellKind[] }) => {
  const { t } = useWords()
  const choose = useSend('bell/choose', { refreshes: ['bell/open'] })
  const shown = choose.isPending ? (choose.variables.pushes ?? pushes) : pushes
  return (
    <details className="bell-pushes">
      <summary>{t('bell.pushes')}</summary>
      {choose.error && <Alert text={choose.error.message} />}
      <p className="bell-hint">{t('bell.pushes_hint')}</p>
      <div className="bell-kinds">
        {bellKinds.map((kind) => (
          <Check
            key={kind}
            isOn={shown.includes(kind)}
            onChange={(isOn) =>
              choose.mutate({ pushes: bellKinds.filter((one) => (one === kind ? isOn : shown.includes(one))) })
            }
          >
            {t(`bell.kind_${kind}`)}
          </Check>
        ))}
      </div>
    </details>
  )
}
