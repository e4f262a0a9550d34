import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** A button beside the title. */
  act?: ReactNode
  /** The table's rows; without any, `none` is shown in its place. */
  children?: ReactNode
  none?: ReactNode
  /** What follows the table. */
  after?: ReactNode
}

/** A part of the statement page: its title, and a table that scrolls in its own frame, also by keyboard. */
export const TitledTable = ({ title, act, children, none, after }: Props) => {
  const id = useId()
  return (
    <section className="statement-held">
      <div className="statement-bar">
        <h2 id={id}>{title}</h2>
        {act}
      </div>
      {none ?? (
        <div className="statement-scroll" tabIndex={0} role="region" aria-labelledby={id}>
          <table className="lines-table">{children}</table>
        </div>
      )}
      {after}
    </section>
  )
}
