import { nearestOf } from '@pith-mcp/aggregator'
import { allScopes, type StoredToken } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { StateContext } from '../operations/context.ts'
import { createToken, listTokens, revokeToken, rotateToken } from '../operations/tokens.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'
import { type Perform, withOperations } from './with-operations.ts'

export const command: Command = {
  usage: `aggregator-mcp token create NAME [--profile P] [--scope S …] [--expires 90d] [--json]
aggregator-mcp token [list] [--json]
aggregator-mcp token rotate ID|NAME [--overlap 24h] [--expires 90d] [--json]
aggregator-mcp token revoke ID|NAME

Access tokens for HTTP. A token is shown once, when it is created; its hash is stored in the state
folder. Running aggregators apply a change within a second. rotate prints a new value; the one before
stays valid for the overlap, and rules, sessions and the journal go on under the same name.

  --profile P    limit it to a profile of --config FILE; default: the client selects one
  --scope S      mcp (default), console:read, console or console:admin; repeatable
  --expires T    90d, 12h, 30m, or a day such as 2030-01-31
  --overlap T    24h (default), up to 30d; 0m ends the value before at once`,
  options: {
    scope: { type: 'string', multiple: true },
    expires: { type: 'string' },
    overlap: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { words } = context
    const [word = 'list', name, ...more] = words
    const action = oneOf(
      Object.keys(actions) as (keyof typeof actions)[],
      word,
      'token: The action',
    )
    if (more.length > 0) throw new UsageError(`token ${action}: Unexpected argument ${more[0]}.`)
    return withOperations(context, action !== 'list', (state, perform) => {
      if (state.state.tokens === undefined)
        throw new UsageError('token: Not available with --no-state.')
      return actions[action](name, context, perform, state)
    })
  },
}

const actions = { create, list, rotate, revoke } as const

async function create(
  name: string | undefined,
  { values, print, printJson, log }: CommandContext,
  perform: Perform,
  state: StateContext,
): Promise<number> {
  if (name === undefined)
    throw new UsageError('token create: Name the token, for example after its user.')
  // Not settings.profile: AGGREGATOR_MCP_PROFILE limits a process, not the tokens it creates.
  const profile = values['profile'] as string | undefined
  if (profile !== undefined) await checkProfile(profile, state)
  const scopes = (values['scope'] as readonly string[] | undefined) ?? ['mcp']
  for (const scope of scopes) oneOf(allScopes, scope, 'token create: --scope')
  const body = { name, profile, scopes, expires: values['expires'] }
  const { state: _, token, ...record } = await perform('token create', createToken, { body })
  if (values['json'] === true) printJson({ ...record, token })
  else {
    print(token)
    const scope = profile === undefined ? ', for every profile' : ''
    // For a person: scripts take what is on stderr for an error.
    if (process.stderr.isTTY) log(`${lineOf(record)}${scope}. The token is not shown again.`)
  }
  return 0
}

async function list(
  name: string | undefined,
  { values, print, printJson }: CommandContext,
  perform: Perform,
): Promise<number> {
  const { tokens } = await perform('token list', listTokens)
  const matches = tokens.filter((token) => name === undefined || token.name === name)
  if (values['json'] === true) printJson(matches.map(({ state: _, ...record }) => record))
  else if (matches.length === 0) print('There are no tokens.')
  else for (const token of matches) print(lineOf(token))
  return 0
}

async function rotate(
  word: string | undefined,
  { values, print, printJson, log }: CommandContext,
  perform: Perform,
): Promise<number> {
  if (word === undefined) throw new UsageError('token rotate: Name a token by its id or name.')
  const { overlap, expires } = values
  const [params, body] = [{ id: word }, { overlap, expires }]
  const rotated = await perform('token rotate', rotateToken, { params, body })
  const { state: _, token, ...record } = rotated
  if (values['json'] === true) printJson({ ...record, token })
  else {
    print(token)
    if (process.stderr.isTTY) log(`${lineOf(record)}. The token is not shown again.`)
  }
  return 0
}

async function revoke(
  word: string | undefined,
  { print }: CommandContext,
  perform: Perform,
): Promise<number> {
  if (word === undefined) throw new UsageError('token revoke: Name a token by its id or name.')
  const { id, name } = await perform('token revoke', revokeToken, { params: { id: word } })
  print(`revoked: ${id} ${name}`)
  return 0
}

async function checkProfile(name: string, { settings, config }: StateContext): Promise<void> {
  const profiles = Object.keys(config().settings.profiles ?? {})
  if (profiles.includes(name)) return
  const [suggestion] = await nearestOf(name, profiles)
  const hint =
    profiles.length > 0
      ? `Profiles: ${profiles.join(', ')}.`
      : 'Define it under aggregator.profiles, or name another file with --config.'
  throw new UsageError(
    `token create: There is no profile ${name} in ${settings.config.join(', ')}. ${suggestion ? `Did you mean ${suggestion}?` : hint}`,
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
    times.previousUntil && Date.parse(times.previousUntil) > Date.now()
      ? `value before valid until ${times.previousUntil.slice(0, 16)}`
      : '',
    times.lastUsedAt ? `last used ${times.lastUsedAt.slice(0, 16)}` : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

const dayOf = (time: string): string => time.slice(0, 10)
