import { type ReactNode, useId } from 'react'
import './field.css'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** Takes the remaining width of its row. */
  isWide?: boolean | undefined
  children: (id: string, hintId: string | undefined) => ReactNode
}

/** A label, its control and a hint. */
export function Field({ label, hint, isWide, children }: FieldProps): ReactNode {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  return (
    <div className={isWide ? 'field is-wide' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children(id, hintId)}
      {hint && (
        <div id={hintId} className="field-hint">
          {hint}
        </div>
      )}
    </div>
  )
}
