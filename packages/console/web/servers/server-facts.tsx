import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { Facts } from '../ui/facts.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'

export function ServerFacts({ server }: { server: Schemas['ServerDetail'] }): ReactNode {
  const { serverInfo, signIn } = server
  const facts: [string, ReactNode][] = [
    [
      'Command or URL',
      <PlainText key="launch" isCode>
        {server.launch}
      </PlainText>,
    ],
    ['Transport', server.type ?? '–'],
    [
      'Server info',
      serverInfo && (
        <PlainText key="info">{`${serverInfo.name} ${serverInfo.version ?? ''}`}</PlainText>
      ),
    ],
    ['Protocol', server.era && (server.era === 'modern' ? '2026-07-28' : '2025 or earlier')],
    [
      'Offers',
      server.isKnown ? (
        <>
          <Link href={pathWith('/tools', { server: server.name })}>
            {countOf(server.tools, 'tool')}
          </Link>
          , {countOf(server.prompts, 'prompt')}, {countOf(server.resources, 'resource')}
        </>
      ) : (
        'unknown until the first start'
      ),
    ],
    ['Hidden tools', server.heldTools > 0 && countOf(server.heldTools, 'tool')],
    ['Without Pith', server.isKnown && `${countOf(server.tokens, 'token')} on every turn`],
    ['Calls', `${formatCount(server.calls)} since the aggregator started`],
    ['Starts', formatCount(server.starts)],
    ['Sandbox', server.sandbox && <PlainText key="sandbox">{server.sandbox}</PlainText>],
    [
      'Sign-in',
      signIn && <Link href="/accounts">{signIn === 'none' ? 'not signed in' : signIn}</Link>,
    ],
    [
      'Tags',
      server.tags.length > 0 && (
        <span className="button-row">
          {server.tags.map((tag) => (
            <Badge key={tag} tone="still">
              {tag}
            </Badge>
          ))}
        </span>
      ),
    ],
  ]
  return (
    <Panel title="About">
      <Facts of={facts} />
    </Panel>
  )
}
