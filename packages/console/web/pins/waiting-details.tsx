import { Fragment } from 'react'
import { useWaitingDefinition } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Diff } from '../ui/diff.tsx'
import { Answered, CodeBlock } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import type { Row } from './waiting-rows.ts'

/** What changed in a definition, or the definition of a new tool. */
export function WaitingDetails({ row }: { row: Row }) {
  const { tool, hash, units, reasons, seenAt } = row
  const query = useWaitingDefinition({ server: units[0] ?? '', tool, hash })
  return (
    <section className="waiting-details" aria-label={spellOddCharacters(`Details of ${tool}`)}>
      <p>
        <PlainText isCode>{tool}</PlainText> of <PlainText>{units.join(', ')}</PlainText>, seen{' '}
        <Time of={seenAt} style="relative" />, hash <code title={hash}>{hash.slice(0, 12)}</code>.
        Held: <PlainText>{reasons.join('; ')}</PlainText>
      </p>
      <Answered query={query}>{(answer) => <Definition row={row} {...answer} />}</Answered>
    </section>
  )
}

interface MarkedTextProps {
  text: string
  places: readonly (readonly number[])[]
}

/** A text with the places that led to its signs. */
function MarkedText({ text, places }: MarkedTextProps) {
  const ends = places.map(([, end = 0]) => end)
  return (
    <>
      {places.map(([start = 0, end = 0], index) => (
        <Fragment key={start}>
          <PlainText>{text.slice(ends[index - 1] ?? 0, start)}</PlainText>
          <mark>
            <PlainText>{text.slice(start, end)}</PlainText>
          </mark>
        </Fragment>
      ))}
      <PlainText>{text.slice(ends.at(-1) ?? 0)}</PlainText>
    </>
  )
}

/** Parts that are listed. */
const maxParts = 60

function Definition(props: Schemas['WaitingDefinition'] & { row: Row }) {
  const { row, sentences, changes, diff, definition } = props
  const isNew = diff.length === 0
  const speaking = sentences.filter(({ signs }) => signs.length > 0)
  return (
    <>
      {speaking.length > 0 && (
        <ul aria-label="What speaks to the model">
          {speaking.map(({ text, at, signs, places }) => (
            <li key={`${at} ${text}`}>
              <PlainText>{at}</PlainText>: <MarkedText text={text} places={places} /> (
              {signs.join(', ')})
            </li>
          ))}
        </ul>
      )}
      {changes.slice(0, maxParts).map(({ part, kind, lines }) => (
        <div key={part}>
          <h3>
            <PlainText>{part}</PlainText> {kind}
          </h3>
          <Diff label={`${part} ${kind}`} lines={lines} />
        </div>
      ))}
      {changes.length > maxParts && (
        <p>{countOf(changes.length - maxParts, 'more part')} changed: see all differences.</p>
      )}
      {!isNew && (
        <details>
          <summary>All differences</summary>
          <Diff label={`Differences of ${row.tool}`} lines={diff} />
        </details>
      )}
      {isNew && typeof definition?.['description'] === 'string' && (
        <p className="waiting-text">
          <PlainText>{definition['description']}</PlainText>
        </p>
      )}
      {definition ? (
        <details open={isNew}>
          <summary>Full definition</summary>
          <CodeBlock label={`Definition of ${row.tool}`}>
            {JSON.stringify(definition, null, 2)}
          </CodeBlock>
        </details>
      ) : (
        <p>
          The definition is too long to show. On the command line:{' '}
          <code>aggregator-mcp pin diff</code>
        </p>
      )}
    </>
  )
}
