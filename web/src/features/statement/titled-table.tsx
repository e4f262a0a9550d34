import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** The table's rows; without any, `none` is shown in its place. */
  children?: ReactNode
  none?: ReactNode
  /** What follows the table. */
  after?: ReactNode
}

/** A part of the statement. On the screen its tab is its title; on paper it is above the table. */
export const TitledTable = ({ title, children, none, after }: Props) => {
  const id = useId()
  return (
    <section className="statement-held" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {none ?? (
        <div className="statement-scroll" tabIndex={0} role="region" aria-labelledby={id}>
          <table className="lines-table">{children}</table>
        </div>
      )}
      {after}
    </section>
  )
}
