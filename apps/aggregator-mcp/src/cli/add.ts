import { clientNames, findClient } from '@pith-mcp/server-kit/clients'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { editServers } from '../config-file/edit-servers.ts'
import { stateRisks } from '../config-file/state-risks.ts'
import { checkAccepted } from '../operations/accept-risks.ts'
import type { Command, CommandContext } from './command.ts'
import { reviewServers } from './review.ts'

export const command: Command = {
  usage: `aggregator-mcp add NAME [options] -- COMMAND [ARGUMENT …]
aggregator-mcp add NAME URL [options]
aggregator-mcp add CLIENT [options]

Add a server to the configuration. Running aggregators use it immediately.

      --env KEY=VALUE      variable of the command; repeatable. VALUE may be \${VAR}, \${file:…},
                           \${keychain:…} or \${command:…}, in single quotes
      --header NAME=VALUE  header of requests to the URL; repeatable
      --sse                the URL uses HTTP+SSE, of 2024
      --account NAME       add an account to an existing server
      --description TEXT   shown to models
      --tag TAG            repeatable
      --force              replace a server of this name, except its sandbox
      --no-review          do not start it to show and pin what it offers
      --accept             accept the risk that is named, if there is one
  -c, --config FILE

CLIENT: add the aggregator to a client: ${clientNames.slice(0, 6).join(', ')},
${clientNames.slice(6, 16).join(', ')},
${clientNames.slice(16).join(', ')}. Passes the options of serving on.

      --name NAME          name of the entry (default pith)
      --user               for all folders, not only this one
      --force              replace another server of this name
      --skill              also a skill that says when to use the tools
      --rules              also a marked block in AGENTS.md or the client's rules
      --print              only show what would be written`,
  isRecorded: true,
  options: {
    env: { type: 'string', multiple: true },
    header: { type: 'string', multiple: true },
    sse: { type: 'boolean' },
    account: { type: 'string' },
    description: { type: 'string' },
    tag: { type: 'string', multiple: true },
    force: { type: 'boolean' },
    name: { type: 'string' },
    user: { type: 'boolean' },
    print: { type: 'boolean' },
    skill: { type: 'boolean' },
    rules: { type: 'boolean' },
    'no-review': { type: 'boolean' },
    accept: { type: 'boolean' },
  },
  async run(context) {
    const { settings, words, values, print } = context
    const [name, ...rest] = words
    if (name === undefined) throw new UsageError('add: Name a server or a client.')
    const account = values['account'] as string | undefined
    const client = findClient(name)
    if (client !== undefined && rest.length === 0 && account === undefined)
      return (await import('./add-client.ts')).addClient(client, context)
    for (const flag of ['name', 'user', 'print', 'skill', 'rules'])
      if (values[flag] !== undefined)
        throw new UsageError(
          `add: --${flag} is for clients only. ${name} is not one of ${clientNames.join(', ')}.`,
        )
    const [file = '', ...more] = settings.config
    if (more.length > 0) throw new UsageError('add: Name a single file with --config.')
    const path = await editServers(file, (servers) => {
      const existing = Object.hasOwn(servers, name) ? servers[name] : undefined
      if (account !== undefined)
        return { add: { [name]: withAccount(existing, account, context) }, drop: [name] }
      if (existing !== undefined && values['force'] !== true)
        throw new UsageError(`add: The server ${name} already exists. Replace it with --force.`)
      const entry = withSandboxOf(existing, entryOf(rest, context))
      if (values['accept'] !== true) checkAccepted(stateRisks(entry, settings.state))
      return { add: { [name]: entry }, drop: [name] }
    })
    print(
      `Added ${name}${account === undefined ? '' : `, account ${account},`} to ${path}. Test it with: aggregator-mcp doctor ${/\s/.test(name) ? JSON.stringify(name) : name}`,
    )
    if (values['no-review'] !== true) await reviewServers([name], context, true)
    return 0
  },
}

/** Replacing a server must not remove its sandbox. */
function withSandboxOf(existing: unknown, entry: object): object {
  const { sandbox } = (existing ?? {}) as { sandbox?: unknown }
  return sandbox === undefined || 'url' in entry ? entry : { ...entry, sandbox }
}

function entryOf(rest: readonly string[], { values }: CommandContext): object {
  const [first, ...args] = rest
  if (first === undefined) throw new UsageError('add: Enter -- COMMAND … or a URL.')
  const about = { description: values['description'], tags: values['tag'] }
  const env = pairs(values['env'], '--env')
  const headers = pairs(values['header'], '--header')
  if (/^https?:\/\//i.test(first)) {
    if (args.length > 0) throw new UsageError(`add: Unexpected argument ${args[0]} after the URL.`)
    if (env) throw new UsageError('add: --env is for commands. Use --header with a URL.')
    const type = values['sse'] === true ? 'sse' : undefined
    return defined({ ...about, type, url: first, headers })
  }
  if (first.includes('://')) throw new UsageError(`add: ${first} is not an http or https URL.`)
  if (headers) throw new UsageError('add: --header is for URLs. Use --env with a command.')
  return defined({ ...about, command: first, args: args.length > 0 ? args : undefined, env })
}

/** Without the members that are undefined. */
const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

function withAccount(
  existing: unknown,
  account: string,
  { values, words }: CommandContext,
): object {
  if (typeof existing !== 'object' || existing === null)
    throw new UsageError(`add --account: Add the server ${words[0]} itself first.`)
  const { accounts = {} } = existing as { accounts?: Record<string, object> }
  if (Object.hasOwn(accounts, account) && values['force'] !== true)
    throw new UsageError(
      `add --account: The account ${account} already exists. Replace it with --force.`,
    )
  const [, first, ...args] = words
  const isUrl = first !== undefined && /^https?:\/\//i.test(first)
  const { command } = existing as { command?: string }
  if (values['tag'] !== undefined || values['sse'] === true)
    throw new UsageError(
      'add --account: --tag and --sse are options of a server, not of an account.',
    )
  if (first !== undefined && isUrl === (command !== undefined))
    throw new UsageError(
      `add --account: ${words[0]} has a ${command ? 'command' : 'url'}, so its accounts must have one too.`,
    )
  if (first !== undefined && !isUrl && first !== command)
    throw new UsageError(
      `add --account: The command of ${words[0]} is ${command}. An account can only change its arguments and variables.`,
    )
  const overrides = defined({
    description: values['description'],
    url: isUrl ? first : undefined,
    args: first === undefined || isUrl ? undefined : args,
    env: pairs(values['env'], '--env'),
    headers: pairs(values['header'], '--header'),
  })
  return { ...existing, accounts: { ...accounts, [account]: overrides } }
}

function pairs(value: unknown, flag: string): Record<string, string> | undefined {
  if (!Array.isArray(value)) return undefined
  return Object.fromEntries(
    (value as string[]).map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`add: ${flag} must have the form NAME=VALUE.`)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
