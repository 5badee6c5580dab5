import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
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
