import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useJournal } from '../api/use-answers.ts'
import { toolPath } from '../text/paths.ts'
import { Answered } from '../ui/answered.tsx'
import { Badge } from '../ui/badge.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import './recent-errors.css'

export function RecentErrors(): ReactNode {
  const query = useJournal({ outcome: 'failed', limit: 8 }, 15_000)
  return (
    <Panel
      title="Recent failures"
      aside={<Link href="/journal?outcome=failed">Journal</Link>}
      isFlush
    >
      <Answered query={query} lines={6}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty title="No failures">
              Failed calls and rejected requests are listed here, with the error.
            </Empty>
          ) : (
            <ol className="recent-errors">
              {lines.map((line, index) => (
                <li key={`${line.time} ${index}`}>
                  <div>
                    {line.module && line.tool ? (
                      <Link href={toolPath({ server: line.module, name: line.tool })}>
                        <PlainText isClipped>{`${line.module} · ${line.tool}`}</PlainText>
                      </Link>
                    ) : (
                      <PlainText isClipped>{line.module ?? line.kind}</PlainText>
                    )}
                    <Badge tone={line.outcome === 'rejected' ? 'warn' : 'bad'}>
                      {line.outcome}
                    </Badge>
                    <Time of={line.time} style="relative" />
                  </div>
                  {line.message && (
                    <p>
                      <PlainText isClipped>{line.message}</PlainText>
                    </p>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Answered>
    </Panel>
  )
}
