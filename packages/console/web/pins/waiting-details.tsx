import type { Schemas } from '../api/answer-of.ts'
import { useWaitingDefinition } from '../api/hooks.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Answered, CodeBlock } from '../ui/page.tsx'
import { PlainText, Time } from '../ui/plain-text.tsx'
import type { Row } from './waiting-rows.ts'
import './waiting-details.css'

/** What changed in a definition, or the definition of a new tool. */
export function WaitingDetails({ row, height }: { row: Row; height: number }) {
  const { tool, hash, units, reasons, seenAt } = row
  const query = useWaitingDefinition({ server: units[0] ?? '', tool, hash })
  return (
    <section
      className="waiting-details"
      style={{ height }}
      aria-label={spellOddCharacters(`Details of ${tool}`)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
    >
      <p>
        <strong>
          <PlainText isCode>{tool}</PlainText>
        </strong>{' '}
        of <PlainText>{units.join(', ')}</PlainText>, seen <Time of={seenAt} style="relative" />,{' '}
        <code title={hash}>{hash.slice(0, 12)}</code>. Held:{' '}
        <PlainText>{reasons.join('; ')}</PlainText>
      </p>
      <Answered query={query} lines={4}>
        {(definition) => <Definition row={row} {...definition} />}
      </Answered>
    </section>
  )
}

/** Parts of a definition that are listed: the raw lines below have the others. */
const maxParts = 60

function Definition({
  row,
  changes,
  diff,
  definition,
}: Schemas['WaitingDefinition'] & { row: Row }) {
  const { tool, units } = row
  const description = definition?.['description']
  return (
    <>
      {changes.slice(0, maxParts).map(({ part, name, kind, lines }) => (
        <div key={JSON.stringify([part, name])}>
          <h3>
            {part} {name !== undefined && <PlainText isCode>{name}</PlainText>} {kind}
          </h3>
          <DiffView label={`${part} ${name ?? ''} ${kind}`} lines={lines} />
        </div>
      ))}
      {changes.length > maxParts && (
        <p>{countOf(changes.length - maxParts, 'more part')} changed.</p>
      )}
      {diff.length > 0 && (
        <details>
          <summary>Raw differences</summary>
          <DiffView label={`Changes of ${tool}`} lines={diff} />
        </details>
      )}
      {diff.length === 0 && typeof description === 'string' && (
        <p className="waiting-text">
          <PlainText>{description}</PlainText>
        </p>
      )}
      {definition ? (
        <details open={diff.length === 0}>
          <summary>Full definition</summary>
          <CodeBlock label={`Definition of ${tool}`}>
            {JSON.stringify(definition, null, 2)}
          </CodeBlock>
        </details>
      ) : (
        <p>
          The full definition is too long to show. On the command line:{' '}
          <code>
            aggregator-mcp pin diff <PlainText>{units[0] ?? ''}</PlainText>
          </code>
        </p>
      )}
    </>
  )
}

const kinds = { '-': ['is-gone', 'removed: '], '+': ['is-come', 'added: '] } as const

/** Removed and added lines. Invisible characters are spelled out. */
function DiffView({ label, lines }: { label: string; lines: string[] }) {
  return (
    <section className="diff" aria-label={spellOddCharacters(label)}>
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
