import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { formatTime, zone } from '../text/times.ts'
import { Button, CopyButton } from '../ui/button.tsx'
import { SearchField } from '../ui/fields.tsx'
import { Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'

/** Pixels above the end at which a reader still follows. */
const nearEnd = 16

/** What the server wrote to stderr, with times. It scrolls with new lines unless the reader scrolls up. */
export function LogPanel({ server }: { server: Schemas['ServerDetail'] }) {
  const { type, launch, stderr: lines, stderrTotal: total } = server
  const [isOn, setOn] = useState(true)
  const [isAbove, setAbove] = useState(false)
  const [words, setWords] = useState('')
  const isFollowed = isOn && !isAbove
  const matches = lines.filter(({ text }) => text.toLowerCase().includes(words.toLowerCase()))
  const text = matches
    .map((line) => `${formatTime(new Date(line.time), 'second')}  ${line.text}`)
    .join('\n')
  const scroller = useRef<HTMLElement>(null)
  /** Where the end was last. */
  const endTop = useRef(0)
  useEffect(() => {
    const element = scroller.current
    // A reader may have scrolled up, and the event of it is still to come.
    if (!isFollowed || !element || element.scrollTop < endTop.current - nearEnd) return
    element.scrollTo(0, element.scrollHeight)
    endTop.current = element.scrollTop
  }, [isFollowed, text])
  if (type !== 'stdio')
    return (
      <Panel title="Log">
        <Empty title="No stderr">
          Its log is where it runs: <PlainText>{launch || 'at its URL'}</PlainText>. What it
          answered is in its last error, and in the causes below.
        </Empty>
      </Panel>
    )
  return (
    <Panel
      title="stderr"
      aside={
        <>
          <span role="status">
            {words
              ? `${formatCount(matches.length)} of ${countOf(lines.length, 'line')} match`
              : `${total > lines.length ? `The last ${formatCount(lines.length)} of ` : ''}${countOf(total, 'line')}, ${zone}`}
            {isOn && isAbove && ' · paused, as you scrolled up'}
          </span>
          <Button aria-pressed={isOn} onClick={() => setOn(!isOn)}>
            Follow
          </Button>
        </>
      }
    >
      {lines.length === 0 ? (
        <Empty title="No output on stderr">
          {server.state === 'disabled'
            ? 'A server that is switched off has no process.'
            : 'Output of the process is shown here, with secrets redacted.'}
        </Empty>
      ) : (
        <>
          <SearchField label="Filter" placeholder="Text" value={words} onChange={setWords} />
          <div className="code-block">
            <section
              ref={scroller}
              aria-label="stderr"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
              tabIndex={0}
              onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
                const isUp = scrollHeight - scrollTop - clientHeight > nearEnd
                if (!isUp) endTop.current = scrollTop
                setAbove(isUp)
              }}
            >
              <pre>
                <PlainText>{text}</PlainText>
              </pre>
            </section>
            <CopyButton text={text} label="Copy: stderr" />
          </div>
        </>
      )}
    </Panel>
  )
}
