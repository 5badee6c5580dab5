import type { ReactNode } from 'react'
import { spellOddCharacters, splitOddCharacters } from '../text/odd-characters.ts'
import './plain-text.css'

interface PlainTextProps {
  children: string
  /** Clips to one line with an ellipsis. Hovering and assistive technology give the whole text. */
  isClipped?: boolean
  isCode?: boolean
}

/** Untrusted text, with invisible characters made visible. */
export function PlainText({ children, isClipped, isCode }: PlainTextProps): ReactNode {
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
