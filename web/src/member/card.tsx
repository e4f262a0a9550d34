import { type ReactNode, useEffect, useRef } from 'react'
import { Mark } from '../ui/mark.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'

/** One card in the middle, for signing in and up: the mark, the form, the language at the corner, nothing else. */
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

/** Moves the focus to the first field that is wrong, once the page shows it. */
export const useFirstWrong = (errors: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
