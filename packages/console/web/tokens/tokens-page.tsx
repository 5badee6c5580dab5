import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { useTokens } from '../api/use-answers.ts'
import { Answered } from '../ui/answered.tsx'
import { Button, WriteButton } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { TokenTable } from './token-table.tsx'

export function TokensPage(): ReactNode {
  const query = useTokens()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<Schemas['CreatedToken']>()
  return (
    <Page
      title="Access tokens"
      intro="Access tokens for clients and for this console. Only their hashes are stored."
      actions={
        <WriteButton kind="main" onClick={() => setCreating(true)}>
          Create token
        </WriteButton>
      }
    >
      <Panel title="Tokens" isFlush>
        <Answered query={query} lines={6}>
          {(tokens) =>
            tokens.length === 0 ? (
              <Empty title="No tokens yet" command="aggregator-mcp token create NAME">
                This machine needs none. For other machines, create one here or on the command line:
              </Empty>
            ) : (
              <TokenTable tokens={tokens} />
            )
          }
        </Answered>
      </Panel>
      {isCreating && (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false)
            setCreated(token)
          }}
        />
      )}
      {created && (
        <Dialog title="Copy the token now" onClose={() => setCreated(undefined)}>
          <p>
            The token <PlainText>{created.name}</PlainText> is not shown again. Only its hash is
            stored.
          </p>
          <CodeBlock label="Token">{created.token}</CodeBlock>
          <p>
            Clients send it as <code>Authorization: Bearer …</code>
          </p>
          <div className="dialog-actions">
            <Button kind="main" onClick={() => setCreated(undefined)}>
              I have copied it
            </Button>
          </div>
        </Dialog>
      )}
    </Page>
  )
}
