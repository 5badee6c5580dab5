import type { ReactNode } from 'react'
import { spellOddCharacters, splitOddCharacters } from '../text/odd-characters.ts'
import './plain-text.css'

interface PlainTextProps {
  children: string
  /** One line that ends in an ellipsis; the whole text is told on hover and to assistive technology. */
  isClipped?: boolean
  isCode?: boolean
}

/** Text of a stranger: shown as it is, with what cannot be seen made visible. */
export function PlainText({ children, isClipped, isCode }: PlainTextProps): ReactNode {
  const classes = ['plain-text', isClipped && 'is-clipped', isCode && 'is-code']
  return (
    <bdi
      className={classes.filter(Boolean).join(' ')}
      title={isClipped ? spellOddCharacters(children).slice(0, 1_000) : undefined}
    >
      {splitOddCharacters(children).map(({ text, odd }, index) =>
        odd ? (
          <span key={index} className="odd-character" title="A character that cannot be seen">
            {odd}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}
