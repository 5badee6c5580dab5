import { type ComponentProps, type ReactNode, useId } from 'react'
import { useServers } from '../api/hooks.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import './field.css'
import './segmented.css'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** Takes the remaining width of its row. */
  isWide?: boolean | undefined
  children: (id: string, hintId: string | undefined) => ReactNode
}

/** A label, its control and a hint. */
export function Field({ label, hint, isWide, children }: FieldProps) {
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

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  hint?: string
  /** Takes the remaining width of its row. */
  isWide?: boolean
  value: string
  onChange: (value: string) => void
}

/** A field for a line of text. */
export function TextField({ label, hint, isWide, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} isWide={isWide}>
      {(id, hintId) => (
        <input
          id={id}
          aria-describedby={hintId}
          autoComplete="off"
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A wide field for a text to search or filter by. */
export function SearchField(props: TextFieldProps) {
  return <TextField type="search" isWide autoComplete="on" {...props} />
}

interface ChoiceFieldProps {
  label: string
  options: readonly (readonly [value: string, label: string])[]
  value: string
  onChange: (value: string) => void
}

/** A choice of options. A value that is not an option is kept. */
export function ChoiceField({ label, options, value, onChange }: ChoiceFieldProps) {
  const isKnown = options.some(([option]) => option === value)
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {(isKnown ? options : [...options, [value, value]]).map(([option = '', words = '']) => (
            <option key={option} value={option}>
              {spellOddCharacters(words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckFieldProps {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The label. */
  children: ReactNode
}

/** A checkbox with its label after it. */
export function CheckField({ isChecked, onChange, children }: CheckFieldProps) {
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

interface ServerFieldProps {
  /** A name, also of a server that no longer exists; empty for all servers. */
  value: string
  onChange: (server: string) => void
}

/** A choice of one server, or all. */
export function ServerField(props: ServerFieldProps) {
  // A server with accounts is listed once for each of them.
  const names = new Set(useServers().data?.map(({ name }) => name))
  const options = [['', 'All'] as const, ...[...names].map((name) => [name, name] as const)]
  return <ChoiceField label="Server" options={options} {...props} />
}

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}

/** A choice of a few options, all visible. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
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
