import { useState } from 'react'
import { Link } from 'wouter'
import { useAttention } from '../api/hooks.ts'
import { Button } from '../ui/button.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { Dot, PlainText } from '../ui/plain-text.tsx'
import './attention-panel.css'

const maxVisible = 6

/** Problems and approvals that need a person. */
export function AttentionPanel() {
  const query = useAttention()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Needs attention" aside={query.data?.length || undefined} isFlush>
      <Answered query={query} lines={5}>
        {(items) => (
          <>
            {items.length === 0 && <Empty title="No problems">Nothing needs your attention.</Empty>}
            <ul className="concerns">
              {items.slice(0, isOpen ? undefined : maxVisible).map((item) => (
                <li key={`${item.kind} ${item.subject} ${item.text}`}>
                  <Dot tone={item.tone}>
                    <PlainText isClipped>{item.subject}</PlainText>
                  </Dot>
                  <p>
                    <PlainText>{item.text}</PlainText>{' '}
                    {item.fix.page ? (
                      <Link href={item.fix.page}>{item.fix.text}</Link>
                    ) : (
                      item.fix.text
                    )}
                    {item.fix.command && <PlainText isCode>{item.fix.command}</PlainText>}
                  </p>
                </li>
              ))}
            </ul>
            {items.length > maxVisible && (
              <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {isOpen ? 'Show fewer' : `Show all ${items.length}`}
              </Button>
            )}
          </>
        )}
      </Answered>
    </Panel>
  )
}
