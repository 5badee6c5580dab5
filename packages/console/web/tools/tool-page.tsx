import { Link } from 'wouter'
import { isRefusal } from '../api/answer-of.ts'
import { useTool, useTools } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { RuleButtons } from '../rules/rule-dialog.tsx'
import { countOf } from '../text/numbers.ts'
import { pathWith, serverPath } from '../text/paths.ts'
import { Answered, CodeBlock, Page, Panel } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { ToolMarks } from './tool-table.tsx'
import { TryPanel } from './try-panel.tsx'
import './tool-page.css'

export function ToolPage({ server, name }: { server: string; name: string }) {
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
function WhyAbsent({ server, name }: { server: string; name: string }) {
  const absent = useTools({ server }).data?.find((tool) => tool.name === name)?.absent
  if (!absent) return null
  return (
    <p className="tool-absent">
      <PlainText>{absent}</PlainText>{' '}
      <Link href={pathWith('/pins', { server })}>Review of this server</Link>
    </p>
  )
}

function Details({ tool }: { tool: Schemas['ToolDetail'] }) {
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
        <div className="tool-column">
          <Panel title="Rules for this tool">
            <RuleButtons server={tool.server} tool={tool.name} schema={definition['inputSchema']} />
          </Panel>
          <TryPanel tool={tool} />
        </div>
      </div>
    </>
  )
}

const columns: readonly Column<Parameter>[] = [
  column('Name', 'parameter-name', ({ name, isRequired }) => (
    <>
      <PlainText isCode>{name}</PlainText> {isRequired && <Badge tone="info">required</Badge>}
    </>
  )),
  column('Type', 'is-muted', ({ type }) => <PlainText isCode>{type}</PlainText>),
  column('Description', '', ({ description }) => <PlainText>{description}</PlainText>),
]

function ParameterTable({ schema }: { schema: unknown }) {
  const parameters = readParameters(schema)
  return (
    <Panel title="Parameters" isFlush>
      {parameters.length === 0 ? (
        <p className="parameter-none">This tool has no parameters.</p>
      ) : (
        <Table
          caption="Parameters"
          columns={columns}
          rows={parameters}
          keyOf={({ name }) => name}
        />
      )}
    </Panel>
  )
}

interface Parameter {
  name: string
  type: string
  isRequired: boolean
  description: string
}

type Shape = Record<string, unknown>

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null

/** The top-level parameters of a JSON schema, at most 200. */
function readParameters(schema: unknown): Parameter[] {
  if (!isShape(schema) || !isShape(schema['properties'])) return []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties'])
    .slice(0, 200)
    .map(([name, value]) => ({
      name,
      type: typeOf(value, 0),
      isRequired: required.has(name),
      description:
        isShape(value) && typeof value['description'] === 'string' ? value['description'] : '',
    }))
}

function typeOf(schema: unknown, depth: number): string {
  if (!isShape(schema) || depth > 3) return 'any'
  if (Array.isArray(schema['enum']))
    return schema['enum']
      .slice(0, 12)
      .map((value) => JSON.stringify(value))
      .join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const']) ?? 'any'
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices))
    return choices
      .slice(0, 6)
      .map((choice) => typeOf(choice, depth + 1))
      .join(' | ')
  const { type } = schema
  if (type === 'array') return `${typeOf(schema['items'], depth + 1)}[]`
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : 'any'
}
