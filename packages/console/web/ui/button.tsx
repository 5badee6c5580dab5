import type { ComponentProps, ReactNode } from 'react'
import { useConsole } from '../api/console-context.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import './button.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  type?: 'button' | 'submit'
  isBusy?: boolean
  /** Why it cannot be pressed. It can still be reached, so the reason can be read. */
  why?: string | undefined
}

export function Button({
  kind = 'plain',
  type = 'button',
  isBusy = false,
  why,
  onClick,
  className = '',
  'aria-label': label,
  ...rest
}: ButtonProps): ReactNode {
  const isOff = isBusy || why !== undefined
  return (
    <button
      {...rest}
      aria-label={label && spellOddCharacters(label)}
      type={type}
      className={`button is-${kind} ${className}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      title={why ?? rest.title}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

/** A button that changes something: off, with the reason, for those who may only look. */
export function WriteButton(props: ButtonProps): ReactNode {
  const { whyReadOnly } = useConsole()
  return <Button {...props} why={whyReadOnly ?? props.why} />
}
