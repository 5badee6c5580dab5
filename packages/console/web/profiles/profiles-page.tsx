import { Link } from 'wouter'
import { useProfiles } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { Bar } from '../charts/bar.tsx'
import { EditButton } from '../settings/edit-button.tsx'
import { RemoveSetting } from '../settings/remove-setting.tsx'
import { countOf, formatTokens } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { CopyButton } from '../ui/button.tsx'
import { Answered, CodeBlock, Facts, Page, Panel } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import './profiles.css'

export function ProfilesPage() {
  const query = useProfiles()
  return (
    <Page
      title="Profiles"
      intro="What each group of clients can see and call."
      actions={<EditButton action="New profile" title="New profile" path={profilesPath} />}
    >
      <Answered query={query} lines={10}>
        {(profiles) => (
          <div className="profiles">
            {profiles.map((profile) => (
              <ProfilePanel key={profile.name ?? ''} profile={profile} />
            ))}
          </div>
        )}
      </Answered>
    </Page>
  )
}

const profilesPath = ['aggregator', 'profiles']

function ProfilePanel({ profile }: { profile: Schemas['Profile'] }) {
  const { session } = useConsole()
  const { name, description, isDefault, rules, servers, tools, listTokens, callers, path } = profile
  // `mcpUrl` may have a prefix before /mcp.
  const url = session.mcpUrl.replace(/\/mcp$/, '') + path
  const cost = listTokens[session.mode]
  return (
    <Panel
      title={name ?? 'No profile'}
      aside={
        <>
          {isDefault && <Badge tone="ok">default</Badge>}
          {!name && <Badge tone="still">everything</Badge>}
          {name && <EditButton title={`Edit ${name}`} path={profilesPath} name={name} />}
          {name && (
            <RemoveSetting path={[...profilesPath, name]}>
              <p>Callers and tokens with this profile can no longer see or call anything.</p>
            </RemoveSetting>
          )}
        </>
      }
    >
      <div className="profile">
        {description && (
          <p>
            <PlainText>{description}</PlainText>
          </p>
        )}
        <div className="profile-cost">
          <Bar share={listTokens.full > 0 ? cost / listTokens.full : 0} />
          <span>
            <b>{formatTokens(cost)}</b> tokens on every turn instead of{' '}
            {formatTokens(listTokens.full)}
          </span>
        </div>
        <Facts
          of={[
            [
              'Exposes',
              <span key="exposes">
                <Link href={pathWith('/tools', { profile: name })}>{countOf(tools, 'tool')}</Link>{' '}
                of {countOf(servers.length, 'server')} ·{' '}
                <Link href={pathWith('/access', { profile: name })}>What is missing, and why</Link>
              </span>,
            ],
            ['Servers', <PlainText key="servers">{servers.join(', ') || 'none'}</PlainText>],
            ['Callers', <CallerLinks key="callers" callers={callers} />],
            [
              'URL',
              <span key="url" className="profile-url">
                <PlainText isCode>{url}</PlainText>
                <CopyButton text={url} label={`Copy the URL of ${name ?? 'no profile'}`} />
              </span>,
            ],
          ]}
        />
        {Object.keys(rules).length > 0 && (
          <details>
            <summary>Rules</summary>
            <CodeBlock label={`Rules of ${name}`}>{JSON.stringify(rules, null, 2)}</CodeBlock>
          </details>
        )}
      </div>
    </Panel>
  )
}

/** Each leads to what this caller can call. */
function CallerLinks({ callers }: { callers: string[] }) {
  if (callers.length === 0) return 'none'
  return callers.map((caller, index) => (
    <span key={caller}>
      {index > 0 && ', '}
      <Link href={pathWith('/access', { caller })}>
        <PlainText>{caller}</PlainText>
      </Link>
    </span>
  ))
}
