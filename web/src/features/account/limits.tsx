import { limitParts } from '@tallyroom/contract/limits'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import { useWords } from '../../i18n/i18n.ts'
import { exactText } from '../../ui/amount.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import type { useLimits } from './use-limits.ts'
import './abilities.css'

type State = ReturnType<typeof useLimits>

/** The most that an account may move without approval, by kind. An empty field shows what holds from above. */
export const LimitsSection = ({ state, onOpen }: { state: State; onOpen: () => void }) => {
  const { t } = useWords()
  return (
    <details className="abilities" onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>{t('limit.title')}</summary>
      {state.loadError ? (
        <Alert text={state.loadError.message} />
      ) : state.data ? (
        <div>
          <p className="ability-what">{t('limit.hint')}</p>
          {state.data.limits.map((limit) => (
            <fieldset key={limit.type} className="ability-group limit-group">
              <legend>{t(transferKinds[limit.type].word)}</legend>
              {limitParts.map((part) => {
                const above = limit.effective[part]
                return (
                  <Field key={part} label={t(`limit.${part}`)}>
                    {(control) => (
                      <AmountInput
                        {...control}
                        value={state.valueOf(limit, part)}
                        onChange={(text) => state.put(limit, part, text)}
                        placeholder={above === null ? '' : exactText(pointsOf(above))}
                      />
                    )}
                  </Field>
                )
              })}
            </fieldset>
          ))}
        </div>
      ) : (
        <p role="status">{t('table.loading')}</p>
      )}
    </details>
  )
}
