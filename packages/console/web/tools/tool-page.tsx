import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isRefusal } from '../api/answer-of.ts'
import type { Schemas } from '../api/schemas.ts'
import { useTool, useTools } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { pathWith, serverPath } from '../text/paths.ts'
import { Answered } from '../ui/answered.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ParameterTable } from './parameter-table.tsx'
import { ToolMarks } from './tool-table.tsx'
import { TryPanel } from './try-panel.tsx'
import './tool-page.css'

export function ToolPage({ server, name }: { server: string; name: string }): ReactNode {
  const query = useTool(server, name)
  return (
    <Page
      title={name}
      heading={<PlainText>{name}</PlainText>}
      intro={
        <>
          of{' '}
          <Link href={serverPath(server)}>
            <PlainText>{server}</PlainText>
          </Link>
          {query.data && (
            <>
              {' '}
              · {countOf(query.data.tokens, 'token')} on every turn without Pith{' '}
              <ToolMarks tool={query.data} />
            </>
          )}
        </>
      }
      actions={<Link href={pathWith('/journal', { server, tool: name })}>Calls of this tool</Link>}
    >
      {isRefusal(query.error) && <WhyAbsent server={server} name={name} />}
      <Answered query={query} lines={14} link={<Link href="/tools">All tools</Link>}>
        {(tool) => <Details tool={tool} />}
      </Answered>
    </Page>
  )
}

/** A held tool is listed under an escaped name, without a definition. */
function WhyAbsent({ server, name }: { server: string; name: string }): ReactNode {
  const absent = useTools({ server }).data?.find((tool) => tool.name === name)?.absent
  if (!absent) return null
  return (
    <p className="tool-absent">
      <PlainText>{absent}</PlainText>{' '}
      <Link href={pathWith('/pins', { server })}>Pins of this server</Link>
    </p>
  )
}

function Details({ tool }: { tool: Schemas['ToolDetail'] }): ReactNode {
  const { definition } = tool
  const text = typeof definition['description'] === 'string' ? definition['description'] : ''
  return (
    <>
      {tool.absent && (
        <p className="tool-absent">
          <PlainText>{tool.absent}</PlainText>
        </p>
      )}
      <div className="tool-grid">
        <div className="tool-column">
          <Panel title="Description">
            <p className="tool-description">
              <PlainText>{text || 'No description.'}</PlainText>
            </p>
          </Panel>
          <ParameterTable schema={definition['inputSchema']} />
          <Panel title="Definition by the server">
            <CodeBlock label="Definition">{JSON.stringify(definition, null, 2)}</CodeBlock>
          </Panel>
        </div>
        <TryPanel tool={tool} />
      </div>
    </>
  )
}
