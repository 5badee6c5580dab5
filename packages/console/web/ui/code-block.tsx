import type { ReactNode } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { CopyButton } from './copy-button.tsx'
import { PlainText } from './plain-text.tsx'
import './code-block.css'

interface CodeBlockProps {
  label: string
  children: string
  isTall?: boolean
}

/** Verbatim text that scrolls, and can be focused and copied. */
export function CodeBlock({ label, children, isTall }: CodeBlockProps): ReactNode {
  return (
    <div className="code-block">
      <section
        className={isTall ? 'is-tall' : undefined}
        aria-label={spellOddCharacters(label)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
      >
        <pre>
          <PlainText>{children}</PlainText>
        </pre>
      </section>
      <CopyButton text={children} label={`Copy: ${label}`} />
    </div>
  )
}
