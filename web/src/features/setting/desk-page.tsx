import { assignMethods, type DeskRules, ruleRanges } from '@tallyroom/contract/desk/rules'
import { Button } from '../../ui/control/button.tsx'
import { RadioGroup } from '../../ui/control/radio.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { type Rules, useForm } from '../../ui/form/use-form.ts'
import { wholeNumber } from '../../ui/form/whole-number.ts'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { HoursCard } from './hours-card.tsx'
import './setting.css'

/** DESK-10: how the group shares out the members who wait. */
export const DeskPage = () => {
  const { t } = useWords()
  const found = useCall('deskSetting/view', {})
  if (found.error && !found.data) {
    return (
      <div className="page-narrow">
        <Alert text={found.error.message} />
        <Button onClick={() => void found.refetch()}>{t('action.try_again')}</Button>
      </div>
    )
  }
  if (!found.data) {
    return (
      <div className="card" aria-busy="true">
        <span className="bar" />
        <span className="bar" />
      </div>
    )
  }
  return (
    <div className="page-narrow">
      <DeskForm rules={found.data} />
      <HoursCard />
    </div>
  )
}

const numbers = ['capacity', 'sticky_hours', 'answer_s', 'gone_s'] as const
type NumberName = (typeof numbers)[number]

/** What is typed stays text until it is sent: an empty field is no zero. */
type Draft = Pick<DeskRules, 'assign'> & Record<NumberName, string>
const draftOf = ({ assign, ...rest }: DeskRules): Draft => ({
  assign,
  capacity: String(rest.capacity),
  sticky_hours: String(rest.sticky_hours),
  answer_s: String(rest.answer_s),
  gone_s: String(rest.gone_s),
})
const asRules = (draft: Draft): DeskRules => ({
  assign: draft.assign,
  capacity: wholeNumber(draft.capacity),
  sticky_hours: wholeNumber(draft.sticky_hours),
  answer_s: wholeNumber(draft.answer_s),
  gone_s: wholeNumber(draft.gone_s),
})

const wrongIn =
  (t: Translate, name: NumberName) =>
  (text: string): string | false => {
    const [least, most] = ruleRanges[name]
    const value = wholeNumber(text)
    const isRight = (value >= least && value <= most) || (name === 'answer_s' && value === 0)
    return !isRight && t('desk_rule.range', { least, most })
  }
const rulesOf = (t: Translate): Rules<Draft> => ({
  capacity: wrongIn(t, 'capacity'),
  sticky_hours: wrongIn(t, 'sticky_hours'),
  answer_s: wrongIn(t, 'answer_s'),
  gone_s: wrongIn(t, 'gone_s'),
})

const DeskForm = ({ rules }: { rules: DeskRules }) => {
  const { t } = useWords()
  const save = useSend('deskSetting/save', { refreshes: ['deskSetting/view', 'desk/colleagues'] })
  const form = useForm(() => draftOf(rules), rulesOf(t))
  const { draft, field } = form
  const submit = form.submit(
    (typed) => save.mutateAsync(asRules(typed)),
    () => {
      form.keep(draft)
      notify.done(t('done.saved'))
    },
  )
  return (
    <>
      <UnsavedChanges hasChanges={form.hasChanges} />
      <FormCard title={t('desk_rule.assign')} hint={t('desk_rule.rules_lead')} form={form} onSubmit={submit}>
        <div className="field">
          <RadioGroup
            label={t('desk_rule.assign')}
            value={draft.assign}
            onChange={(assign) => form.set({ assign })}
            options={assignMethods.map((method) => ({
              value: method,
              label: (
                <>
                  {t(`desk_rule.assign_${method}`)}
                  <span className="setting-method">{t(`desk_rule.assign_${method}_hint`)}</span>
                </>
              ),
            }))}
          />
        </div>
        {numbers.map((name) => (
          <TextField
            key={name}
            label={t(`desk_rule.${name}`)}
            hint={t(`desk_rule.${name}_hint`)}
            inputMode="numeric"
            autoComplete="off"
            {...field(name)}
          />
        ))}
      </FormCard>
    </>
  )
}
