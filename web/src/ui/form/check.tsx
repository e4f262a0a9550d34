import type { ReactNode } from 'react'
import './check.css'

type Props = { isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode }

/** A checkbox with its label. */
export const Check = ({ isOn, onChange, children }: Props) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    {children}
  </label>
)
