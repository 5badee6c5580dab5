import { spellOddCharacters } from '../text/odd-characters.ts'
import { PlainText } from './plain-text.tsx'
import './diff.css'

const kinds = { '-': ['is-gone', 'removed: '], '+': ['is-come', 'added: '] } as const

/** Removed and added lines, which begin with "- " and "+ ". Invisible characters are spelled out. */
export function Diff({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className="diff" aria-label={spellOddCharacters(label)} tabIndex={0}>
      {lines.map((line, index) => {
        const [name, word] = kinds[line[0] as '-' | '+'] ?? ['', '']
        return (
          <div key={index} className={name}>
            <span aria-hidden="true">{word ? line[0] : ' '}</span>
            <span className="for-readers">{word}</span>
            <PlainText>{word ? line.slice(2) : line}</PlainText>
          </div>
        )
      })}
    </section>
  )
}
