import { type ReactNode, useId } from 'react'
import './segmented.css'

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}

/** A choice of a few options, all visible. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactNode {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className="for-readers">{props.label}</legend>
      {props.options.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
