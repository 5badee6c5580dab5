import type { ReactNode } from 'react'
import { usePins } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { PinTable } from './pin-table.tsx'
import { PinnedPanel } from './pinned-panel.tsx'

export function PinsPage(): ReactNode {
  const query = usePins()
  const [{ server }, set] = useQueryValues(['server'])
  return (
    <Page
      title="Pins"
      intro="Definitions are pinned when they are first seen or approved. A tool that is new or changes is held until someone approves it."
    >
      <Answered query={query} lines={10}>
        {(servers) => {
          const waiting = servers
            .filter((one) => one.waiting.length > 0)
            .sort((a, b) => Number(b.server === server) - Number(a.server === server))
          const isPinned = servers.some((one) => !server || one.server === server)
          const shown = server ? waiting.filter((one) => one.server === server) : waiting
          return (
            <>
              {server && waiting.length > shown.length && (
                <p>
                  Only <PlainText>{server}</PlainText> is shown.{' '}
                  <button type="button" className="link-button" onClick={() => set({ server: '' })}>
                    Show all {countOf(waiting.length, 'server')}
                  </button>
                </p>
              )}
              {shown.map((one) => (
                <PinnedPanel key={one.server} pinned={one} />
              ))}
              {shown.length === 0 && (
                <section className="panel" aria-label="Approvals">
                  <Empty title="No tools wait for approval">
                    {isPinned
                      ? 'All tools match their pinned definitions.'
                      : 'Definitions are pinned when a server first lists its tools.'}
                  </Empty>
                </section>
              )}
              {servers.length > 0 && <PinTable servers={servers} />}
            </>
          )
        }}
      </Answered>
    </Page>
  )
}
