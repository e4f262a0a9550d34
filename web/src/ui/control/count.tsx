import './count.css'

/** How much of the length is used. Screen readers are not told: a field takes no more than it may. */
export const Count = ({ value, maxLength }: { value: unknown; maxLength: number | undefined }) => {
  const used = typeof value === 'string' ? value.length : 0
  return (
    <span className="input-count" aria-hidden="true">
      {`${used} / ${maxLength}`}
    </span>
  )
}
