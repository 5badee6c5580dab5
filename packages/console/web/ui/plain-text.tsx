import type { ReactNode } from 'react'
import { spellOddCharacters, splitOddCharacters } from '../text/odd-characters.ts'
import './plain-text.css'
import './badge.css'

interface PlainTextProps {
  children: string
  /** Clips to one line with an ellipsis. Hovering and assistive technology give the whole text. */
  isClipped?: boolean
  isCode?: boolean
}

/** Untrusted text, with invisible characters made visible. */
export function PlainText({ children, isClipped, isCode }: PlainTextProps) {
  const classes = ['plain-text', isClipped && 'is-clipped', isCode && 'is-code']
  return (
    <bdi
      className={classes.filter(Boolean).join(' ')}
      title={isClipped ? spellOddCharacters(children).slice(0, 1_000) : undefined}
    >
      {splitOddCharacters(children).map(({ text, odd }, index) =>
        odd ? (
          <span key={index} className="odd-character" title="Invisible character">
            {odd}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'still'

/** A colored word. Color is never the only signal. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge is-${tone}`}>{children}</span>
}

/** A state: a dot and its word. */
export function Dot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`dot is-${tone}`}>{children}</span>
}
