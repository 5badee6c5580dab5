import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isRefusal, type Schemas } from '../api/create-api.ts'
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
      lede={
        <>
          of{' '}
          <Link href={serverPath(server)}>
            <PlainText>{server}</PlainText>
          </Link>
          {query.data && (
            <>
              {' '}
              · {countOf(query.data.tokens, 'token')} on every turn without us{' '}
              <ToolMarks tool={query.data} />
            </>
          )}
        </>
      }
      actions={<Link href={pathWith('/journal', { server, tool: name })}>Its calls</Link>}
    >
      {isRefusal(query.error) && <WhyAbsent server={server} name={name} />}
      <Answered query={query} lines={14} way={<Link href="/tools">All tools</Link>}>
        {(tool) => <Details tool={tool} />}
      </Answered>
    </Page>
  )
}

/** A tool that is held is listed by a name that can be read, and has no definition to show. */
function WhyAbsent({ server, name }: { server: string; name: string }): ReactNode {
  const absent = useTools({ server }).data?.find((tool) => tool.name === name)?.absent
  if (!absent) return null
  return (
    <p className="tool-absent">
      <PlainText>{absent}</PlainText> <Link href={pathWith('/pins', { server })}>Its pins</Link>
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
              <PlainText>{text || 'It says nothing about itself.'}</PlainText>
            </p>
          </Panel>
          <ParameterTable schema={definition['inputSchema']} />
          <Panel title="Definition, as the server gave it">
            <CodeBlock label="Definition">{JSON.stringify(definition, null, 2)}</CodeBlock>
          </Panel>
        </div>
        <TryPanel tool={tool} />
      </div>
    </>
  )
}
