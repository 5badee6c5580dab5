import type { ReactNode } from 'react'
import './badge.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'still'

/** A colored word. Color is never the only signal. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return <span className={`badge is-${tone}`}>{children}</span>
}

/** A state: a dot and its word. */
export function Dot({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return <span className={`dot is-${tone}`}>{children}</span>
}
