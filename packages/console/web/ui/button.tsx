import { type ComponentProps, useEffect, useState } from 'react'
import { useConsole } from '../api/use-console.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import './button.css'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  type?: 'button' | 'submit'
  isBusy?: boolean
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined
}

export function Button({
  kind = 'plain',
  type = 'button',
  isBusy = false,
  disabledReason,
  onClick,
  className = '',
  'aria-label': label,
  ...rest
}: ButtonProps) {
  const isOff = isBusy || disabledReason !== undefined
  return (
    <button
      {...rest}
      aria-label={label && spellOddCharacters(label)}
      type={type}
      className={`button is-${kind} ${className}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      title={disabledReason ?? rest.title}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

interface WriteButtonProps extends ButtonProps {
  /** It changes what is started or who may enter. */
  isAdmin?: boolean | undefined
}

/** A button that changes something. Disabled, with the reason, in sessions without the scope. */
export function WriteButton({ isAdmin = false, ...props }: WriteButtonProps) {
  const { readOnlyReason, noAdminReason } = useConsole()
  const reason = readOnlyReason ?? (isAdmin ? noAdminReason : undefined)
  return <Button {...props} disabledReason={reason ?? props.disabledReason} />
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    if (!outcome) return
    const done = setTimeout(() => setOutcome(undefined), 2_000)
    return () => clearTimeout(done)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('Copied')
    } catch {
      setOutcome('Copying failed. Select the text instead.')
    }
  }
  return (
    <Button kind="quiet" aria-label={outcome ?? label} onClick={() => void copy()}>
      <span aria-live="polite">{outcome ?? 'Copy'}</span>
    </Button>
  )
}
