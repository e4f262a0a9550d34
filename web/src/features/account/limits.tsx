import { type LimitPart, limitParts } from '@tallyroom/contract/limits'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import { useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { exactText } from '../../ui/amount.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import type { Limit, useLimits } from './use-limits.ts'
import './abilities.css'

type State = ReturnType<typeof useLimits>

/** The most that an account may move without approval, by kind: those that it or an account above it has. */
export const LimitsSection = ({ state, onOpen }: { state: State; onOpen: () => void }) => {
  const { t } = useWords()
  return (
    <details className="abilities" onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>{t('limit.title')}</summary>
      {state.loadError ? (
        <Alert text={state.loadError.message} />
      ) : state.data ? (
        <Limits limits={state.data.limits} state={state} />
      ) : (
        <p role="status">{t('table.loading')}</p>
      )}
    </details>
  )
}

/** The limits that are in use, and a choice that adds one. */
export const Limits = ({ limits, state }: { limits: readonly Limit[]; state: State }) => {
  const { t } = useWords()
  const [added, setAdded] = useState('')
  const partsOf = (limit: Limit, shown: boolean) => limitParts.filter((part) => state.isShown(limit, part) === shown)
  const inUse = limits.filter((limit) => partsOf(limit, true).length > 0)
  return (
    <div>
      <p className="ability-what">{t(inUse.length > 0 ? 'limit.hint' : 'limit.none')}</p>
      {inUse.map((limit) => (
        <fieldset key={limit.type} className="ability-group limit-group">
          <legend>{t(transferKinds[limit.type].word)}</legend>
          {partsOf(limit, true).map((part) => (
            <LimitField
              key={part}
              limit={limit}
              part={part}
              value={state.valueOf(limit, part)}
              error={state.isUnfinished(limit, part) ? t('amount.not_one') : undefined}
              autoFocus={added === `${limit.type}/${part}`}
              onChange={(text) => state.put(limit, part, text)}
            />
          ))}
        </fieldset>
      ))}
      <select
        className="select limit-add"
        aria-label={t('limit.add')}
        value=""
        onChange={({ target }) => {
          const limit = limits.find(({ type }) => target.value.startsWith(`${type}/`))
          const part = limitParts.find((one) => target.value.endsWith(`/${one}`))
          if (!limit || !part) return
          state.put(limit, part, '')
          setAdded(target.value)
        }}
      >
        <option value="">{t('limit.add')}</option>
        {limits.map((limit) => (
          <optgroup key={limit.type} label={t(transferKinds[limit.type].word)}>
            {partsOf(limit, false).map((part) => (
              <option key={part} value={`${limit.type}/${part}`}>
                {t(`limit.${part}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}

type FieldProps = {
  limit: Limit
  part: LimitPart
  value: string
  error: string | undefined
  autoFocus: boolean
  onChange: (text: string) => void
}

/** An empty field shows what holds from above. */
const LimitField = ({ limit, part, value, error, autoFocus, onChange }: FieldProps) => {
  const { t } = useWords()
  const above = limit.above[part]
  const amount = above ? exactText(pointsOf(above.most)) : ''
  return (
    <Field
      label={t(`limit.${part}`)}
      error={error}
      hint={above ? t('limit.above', { name: above.of || t('right.somebody'), amount }) : undefined}
    >
      {(control) => (
        <AmountInput {...control} autoFocus={autoFocus} value={value} onChange={onChange} placeholder={amount} />
      )}
    </Field>
  )
}
