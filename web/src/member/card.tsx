import { type ReactNode, useEffect, useRef } from 'react'
import { Mark } from '../ui/mark.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'

/** The centred card for sign-in and sign-up: logo, form, language menu. */
export const Card = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => {
  const { t } = useWords()
  useEffect(() => {
    document.title = `${title} · ${t('product.name')}`
  }, [title, t])
  return (
    <main className="m-front">
      <LanguageSelect />
      <section className="m-card">
        <Mark />
        <h1>{title}</h1>
        {lead && <p className="m-lead">{lead}</p>}
        {children}
      </section>
    </main>
  )
}

/** Moves the focus to the first invalid field after it is rendered. */
export const useFocusFirstError = (errors: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
