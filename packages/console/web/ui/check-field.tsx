import type { ReactNode } from 'react'
import './field.css'

interface CheckFieldProps {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The label. */
  children: ReactNode
}

/** A checkbox with its label after it. */
export function CheckField({ isChecked, onChange, children }: CheckFieldProps): ReactNode {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
