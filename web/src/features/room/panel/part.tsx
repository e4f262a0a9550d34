import { type ReactNode, useId } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { Alert } from '../../../ui/overlay/message.tsx'

type PartProps = {
  title: string
  query: { error: Error | null; isPending: boolean; refetch: () => unknown }
  link?: ReactNode
  children: ReactNode
}

/** One titled part of the panel, with its error and a way to try again. */
export const Part = ({ title, query, link, children }: PartProps) => {
  const { t } = useWords()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="panel-head">
        <h3 id={id}>{title}</h3>
        {link}
      </div>
      {query.error && (
        <>
          <Alert text={query.error.message} />
          <button type="button" className="button" onClick={() => void query.refetch()}>
            {t('action.try_again')}
          </button>
        </>
      )}
      {query.isPending ? <p className="panel-none">{t('table.loading')}</p> : children}
    </section>
  )
}

export const None = ({ text }: { text: string }) => <p className="panel-none">{text}</p>
