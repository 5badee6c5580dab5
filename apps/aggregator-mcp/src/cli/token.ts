import { nearestOf } from '@pith-mcp/aggregator'
import { allScopes, HttpEndpointError, type StoredToken, type Tokens } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import { withState } from '../open/open-state.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { expiryOf } from '../since.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp token create NAME [--profile P] [--scope S …] [--expires 90d] [--json]
aggregator-mcp token [list] [--json]
aggregator-mcp token revoke ID|NAME

Access tokens for HTTP. A token is shown once, when it is created; its hash is stored in the state
folder. Running aggregators apply a change within a second.

  --profile P    limit it to a profile of --config FILE; default: the client selects one
  --scope S      mcp (default), console:read or console; repeatable
  --expires T    90d, 12h, 30m, or a day such as 2030-01-31`,
  options: {
    scope: { type: 'string', multiple: true },
    expires: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { settings, words, log } = context
    const [word = 'list', name, ...more] = words
    const action = oneOf(
      Object.keys(actions) as (keyof typeof actions)[],
      word,
      'token: The action',
    )
    if (more.length > 0) throw new UsageError(`token ${action}: Unexpected argument ${more[0]}.`)
    try {
      return await withState(settings, undefined, log, async ({ tokens }) => {
        if (tokens === undefined) throw new UsageError('token: Not available with --no-state.')
        return actions[action](tokens, name, context)
      })
    } catch (error) {
      if (error instanceof HttpEndpointError)
        throw new UsageError(`token ${action}: ${error.message}`)
      throw error
    }
  },
}

const actions = { create, list, revoke } as const

async function create(
  tokens: Tokens,
  name: string | undefined,
  { settings, values, print, printJson, log }: CommandContext,
): Promise<number> {
  if (name === undefined)
    throw new UsageError('token create: Name the token, for example after its user.')
  // Not settings.profile: AGGREGATOR_MCP_PROFILE limits a process, not the tokens it creates.
  const profile = values['profile'] as string | undefined
  if (profile !== undefined) await checkProfile(profile, settings)
  const expires = values['expires'] as string | undefined
  const scopes = (values['scope'] as readonly string[] | undefined) ?? ['mcp']
  const { token, stored } = await tokens.create({
    name,
    profile,
    scopes: scopes.map((scope) => oneOf(allScopes, scope, 'token create: --scope')),
    expiresAt: expires === undefined ? undefined : expiryOf(expires, 'token create: --expires'),
  })
  if (values['json'] === true) printJson({ ...stored, token })
  else {
    print(token)
    const scope = profile === undefined ? ', for every profile' : ''
    // For a person: scripts take what is on stderr for an error.
    if (process.stderr.isTTY) log(`${lineOf(stored)}${scope}. The token is not shown again.`)
  }
  return 0
}

function list(
  tokens: Tokens,
  name: string | undefined,
  { values, print, printJson }: CommandContext,
): number {
  const found = tokens.list().filter((one) => name === undefined || one.name === name)
  if (values['json'] === true) printJson(found)
  else if (found.length === 0) print('There are no tokens.')
  else for (const one of found) print(lineOf(one))
  return 0
}

async function revoke(
  tokens: Tokens,
  name: string | undefined,
  { print }: CommandContext,
): Promise<number> {
  if (name === undefined) throw new UsageError('token revoke: Name a token by its id or name.')
  const { id, name: revoked } = await tokens.revoke(name)
  print(`revoked: ${id} ${revoked}`)
  return 0
}

async function checkProfile(name: string, own: Settings): Promise<void> {
  const { settings } = await readConfigFiles(own)
  const profiles = Object.keys(settings.profiles ?? {})
  if (profiles.includes(name)) return
  const [near] = await nearestOf(name, profiles)
  const others =
    profiles.length > 0
      ? `Profiles: ${profiles.join(', ')}.`
      : 'Define it under aggregator.profiles, or name another file with --config.'
  throw new UsageError(
    `token create: There is no profile ${name} in ${own.config.join(', ')}. ${near ? `Did you mean ${near}?` : others}`,
  )
}

function lineOf({ id, name, profile, scopes, ...times }: StoredToken): string {
  const isOver = times.expiresAt !== undefined && Date.parse(times.expiresAt) <= Date.now()
  const parts = [
    `${id} ${name}:`,
    scopes.join(' '),
    profile === undefined ? '' : `profile ${profile}`,
    times.revokedAt ? `revoked ${dayOf(times.revokedAt)}` : '',
    times.expiresAt ? `${isOver ? 'expired' : 'expires'} ${dayOf(times.expiresAt)}` : '',
    times.lastUsedAt ? `last used ${times.lastUsedAt.slice(0, 16)}` : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

const dayOf = (time: string): string => time.slice(0, 10)
