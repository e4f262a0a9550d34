import { type CSSProperties, type ReactNode, useEffect } from 'react'
import { Mark } from '../ui/mark.tsx'
import { Avatar } from '../ui/person.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LanguageSelect } from '../ui/form/language-select.tsx'
import { brandOf } from './brand.ts'
import type { Look } from './look.ts'
import './brand.css'
import './card.css'

type Props = {
  title: string
  lead?: ReactNode
  /** The group's cover in place of the product's logo; `loading` while it is not known whose page this is. */
  look?: Look | 'loading' | undefined
  children: ReactNode
}

/** The centred card for sign-in and sign-up: cover or logo, form, language menu. */
export const Card = ({ title, lead, look, children }: Props) => {
  const { t } = useWords()
  const group = look === 'loading' ? undefined : look
  const brand = brandOf(group)
  const owner = look ? group?.name : t('product.name')
  useEffect(() => {
    document.title = owner ? `${title} · ${owner}` : title
  }, [title, owner])
  return (
    <main
      className="m-front"
      data-look={look ? true : undefined}
      data-brand={brand ? true : undefined}
      style={brand as CSSProperties | undefined}
    >
      <LanguageSelect />
      <section className="m-card">
        {look ? (
          <div className="m-cover">
            {group ? <Avatar src={group.picture} name={group.name} size={64} /> : <span className="m-cover-picture" />}
            <strong>
              <bdi>{group?.name ?? '\u00a0'}</bdi>
            </strong>
            {lead && <p>{lead}</p>}
          </div>
        ) : (
          <Mark />
        )}
        <div className="m-card-form">
          <h1>{title}</h1>
          {!look && lead && <p className="m-lead">{lead}</p>}
          {children}
        </div>
      </section>
    </main>
  )
}
