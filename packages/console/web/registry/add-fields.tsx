import type { Schemas } from '../api/schemas.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { CheckField, Field } from '../ui/fields.tsx'
import { PlainText } from '../ui/plain-text.tsx'

type Choice = Schemas['RegistryServer']['choices'][number]
type Input = Choice['inputs'][number]

interface ChoiceListProps {
  choices: readonly Choice[]
  /** The index of the selected one, or -1. */
  choice: number
  onChange: (choice: number) => void
}

/** Packages and remotes, with what it means to add each. */
export function ChoiceList({ choices, choice, onChange }: ChoiceListProps) {
  return (
    <fieldset className="scope-choice">
      <legend className="field-label">How it is added</legend>
      {choices.map(({ type, what, effect, refusal }, index) => (
        <label key={index} className="check">
          <input
            type="radio"
            name="choice"
            checked={index === choice}
            disabled={refusal !== undefined}
            onChange={() => onChange(index)}
          />
          <span>
            <PlainText>{effect}</PlainText>: <PlainText isCode>{`${type} ${what}`}</PlainText>{' '}
            {refusal && <PlainText>{refusal}</PlainText>}
          </span>
        </label>
      ))}
      {choice < 0 && <p>Nothing of it can be added here. Its source may say how to start it.</p>}
    </fieldset>
  )
}

/** What was entered, by the names of inputs. `mask` replaces secrets that are not references. */
export function valuesOf(
  inputs: readonly Input[],
  texts: Readonly<Record<string, string>>,
  mask?: string,
): Record<string, string[]> {
  const pairs = inputs.flatMap(({ name, isSecret, isRepeated }) => {
    const text = texts[name]
    if (text === undefined) return []
    const isMasked = mask !== undefined && isSecret && text !== '' && !text.includes('${')
    return [[name, isMasked ? [mask] : isRepeated ? text.split('\n').filter(Boolean) : [text]]]
  })
  return Object.fromEntries(pairs)
}

interface InputFieldProps {
  input: Input
  text: string
  onChange: (text: string) => void
}

/** A field for an input of a server. */
export function InputField({ input, text, onChange }: InputFieldProps) {
  const { name, description, isRequired, isSecret, isRepeated, format, placeholder } = input
  const options = input.choices ?? (format === 'boolean' ? ['true', 'false'] : [])
  const hints = [
    description?.replace(/[^.!?]$/, '$&.'),
    isRepeated && 'One per line.',
    format === 'filepath' && 'A path on the machine of the aggregator.',
    isSecret && 'Stored as a secret, unless it is a reference such as ${VARIABLE}.',
  ]
  const hint = <PlainText>{hints.filter(Boolean).join(' ')}</PlainText>
  return (
    <Field label={`${spellOddCharacters(name)}${isRequired ? ' (required)' : ''}`} hint={hint}>
      {(id, hintId) => {
        const common = {
          id,
          'aria-describedby': hintId,
          value: text,
          placeholder,
          autoComplete: 'off',
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        }
        if (isRepeated) return <textarea {...common} rows={3} />
        if (isSecret || options.length === 0)
          return <input {...common} type={isSecret ? 'password' : 'text'} />
        return (
          <select {...common}>
            {['', ...options].map((option) => (
              <option key={option} value={option}>
                {spellOddCharacters(option) || 'Not set'}
              </option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

interface RiskListProps {
  risks: readonly string[]
  accepts: readonly string[]
  onChange: (accepts: readonly string[]) => void
}

/** What a person must accept before something is added. */
export function RiskList({ risks, accepts, onChange }: RiskListProps) {
  return risks.map((risk) => (
    <CheckField
      key={risk}
      isChecked={accepts.includes(risk)}
      onChange={(isChecked) =>
        onChange(isChecked ? [...accepts, risk] : accepts.filter((other) => other !== risk))
      }
    >
      <PlainText>{`${risk} I accept this.`}</PlainText>
    </CheckField>
  ))
}

export const ProblemList = ({ problems }: { problems: readonly string[] }) =>
  problems.map((problem) => (
    <p key={problem}>
      <PlainText>{problem}</PlainText>
    </p>
  ))
