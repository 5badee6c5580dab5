import type { ReactNode } from 'react'
import { useServers } from '../api/use-answers.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { AccountTable } from './account-table.tsx'

export function AccountsPage(): ReactNode {
  const query = useServers()
  return (
    <Page
      title="Accounts"
      intro="Sign-ins to servers, and servers with several accounts. Tokens stay on the machine of the aggregator."
    >
      <Panel title="Sign-ins and accounts" isFlush>
        <Answered query={query} lines={8}>
          {(servers) => {
            const shown = servers.filter(
              ({ account, signIn }) => account !== undefined || signIn !== undefined,
            )
            return shown.length === 0 ? (
              <Empty title="No server requires a sign-in" command="aggregator-mcp login SERVER">
                Servers over HTTP are listed here once they require a sign-in, and servers with
                accounts. On the command line:
              </Empty>
            ) : (
              <AccountTable servers={shown} />
            )
          }}
        </Answered>
      </Panel>
    </Page>
  )
}
