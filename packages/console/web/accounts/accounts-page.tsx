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
      lede="Where one signs in, and the servers that are used with several accounts. Tokens stay in the keychain or the store of the aggregator."
    >
      <Panel title="Sign-ins and accounts" isFlush>
        <Answered query={query} lines={8}>
          {(servers) => {
            const shown = servers.filter(
              ({ account, signIn }) => account !== undefined || signIn !== undefined,
            )
            return shown.length === 0 ? (
              <Empty title="No server asks for a sign-in" command="aggregator-mcp login SERVER">
                Servers over HTTP that need one are listed here once they have said so, and those
                with accounts. By hand:
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
