import { MAX_NOTICE, type NoticeKind, noticeKinds, textFor } from '@tallyroom/contract/desk/texts'
import { isLanguage, type Language, languages, ownNames } from '@tallyroom/locales'
import { useId, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Field } from '../../ui/form/field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import type { HoursDraft } from './hours-draft.ts'

type Texts = Pick<HoursDraft, NoticeKind | 'default_language'>
type Props = {
  texts: Texts
  /** When the desk opens next, in ms, for the preview. */
  opens: number | undefined
  onChange: (changed: Partial<Texts>) => void
}

const isSet = (text: string | undefined) => (text ?? '').trim() !== ''

/** DESK-06: what members read when they write, in each language. */
export const TextsFields = ({ texts, opens, onChange }: Props) => {
  const { t, language: own } = useWords()
  const id = useId()
  const [shown, setShown] = useState<Language>(isLanguage(texts.default_language) ? texts.default_language : own)
  return (
    <section className="setting-texts" aria-labelledby={id}>
      <h3 id={id}>{t('desk_hours.texts')}</h3>
      <Tabs
        label={t('desk_hours.texts')}
        tabs={languages.map((key) => ({ key, label: ownNames[key] }))}
        chosen={shown}
        onChoose={setShown}
      >
        {noticeKinds.map((kind) => (
          <TextField
            key={kind}
            label={t(`desk_hours.${kind}`)}
            hint={<Hint kind={kind} texts={texts} shown={shown} opens={opens} />}
            rows={3}
            dir="auto"
            maxLength={MAX_NOTICE}
            value={texts[kind][shown] ?? ''}
            onChange={(text) => {
              const changed: Partial<Texts> = {}
              changed[kind] = { ...texts[kind], [shown]: text }
              onChange(changed)
            }}
          />
        ))}
      </Tabs>
      <Field label={t('desk_hours.default_language')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={texts.default_language}
            onChange={({ target }) => onChange({ default_language: target.value })}
          >
            {languages.map((key) => (
              <option key={key} value={key}>
                {ownNames[key]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </section>
  )
}

type HintProps = Omit<Props, 'onChange'> & { kind: NoticeKind; shown: Language }

/** When it is written, what members of this language read then, and the languages without a text. */
const Hint = ({ kind, texts, shown, opens }: HintProps) => {
  const { t } = useWords()
  const written = Object.fromEntries(Object.entries(texts[kind]).filter(([, text]) => isSet(text)))
  const missing = languages.filter((key) => !(key in written))
  const text = textFor(written, shown, texts.default_language)
  const time = opens === undefined ? '–' : showMoment(opens).slice(0, 16)
  return (
    <>
      <span className="setting-hint">{t(`desk_hours.${kind}_hint`, { opens: '{opens}' })}</span>
      {text ? (
        <>
          <span className="setting-hint" dir="auto">
            {t('desk_hours.preview', { text: text.replaceAll('{opens}', time) })}
          </span>
          {missing.length > 0 && (
            <span className="setting-hint">
              {t('desk_hours.missing', { languages: missing.map((key) => ownNames[key]).join(', ') })}
            </span>
          )}
        </>
      ) : (
        <strong className="setting-hint">{t('desk_hours.not_set')}</strong>
      )}
    </>
  )
}
