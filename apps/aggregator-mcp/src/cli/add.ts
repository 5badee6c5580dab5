import { clientNames, isClientName } from '@pith-mcp/setup'
import { editServers } from '../config-file/edit-servers.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandContext } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp add NAME [options] -- COMMAND [ARGUMENT …]
aggregator-mcp add NAME URL [options]
aggregator-mcp add CLIENT [options]

      --env KEY=VALUE      of the command; may be given several times. VALUE may be \${VAR},
                           \${file:…}, \${keychain:…} or \${command:…}, in single quotes
      --header NAME=VALUE  of requests to the URL, the same
      --sse                the URL is of HTTP with SSE, of 2024
      --account NAME       the settings are those of one account of a server that is there
      --description TEXT   said to models
      --tag TAG            may be given several times
      --force              in place of one of that name, whose sandbox stays
  -c, --config FILE

Running aggregators heed it at once.

The third enters the aggregator into a client: ${clientNames.slice(0, 6).join(', ')},
${clientNames.slice(6).join(', ')}. Options of serving go along.

      --name NAME          of it in the client; default pith
      --user               for all folders, not for this one
      --force              in place of another of that name
      --print              only show what would be written`,
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
  },
  async run(context) {
    const { settings, words, values, print } = context
    const [name, ...rest] = words
    if (name === undefined) throw new UsageError('add: name the server, or a client.')
    const account = values['account'] as string | undefined
    if (isClientName(name) && rest.length === 0 && account === undefined)
      return (await import('./add-client.ts')).addClient(name, context)
    for (const flag of ['name', 'user', 'print'])
      if (values[flag] !== undefined)
        throw new UsageError(
          `add --${flag}: is for clients, and ${name} is none: ${clientNames.join(', ')}.`,
        )
    const [file = '', ...others] = settings.config
    if (others.length > 0) throw new UsageError('add: name one file by --config.')
    const path = await editServers(file, (servers) => {
      const there = Object.hasOwn(servers, name) ? servers[name] : undefined
      if (account !== undefined)
        return { add: { [name]: withAccount(there, account, context) }, drop: [name] }
      if (there !== undefined && values['force'] !== true)
        throw new UsageError(`add ${name}: there is one already; --force puts this in its place.`)
      return { add: { [name]: keepingSandbox(there, entryOf(rest, context)) }, drop: [name] }
    })
    print(
      `${name}${account === undefined ? '' : `, account ${account},`} is in ${path}. aggregator-mcp doctor ${/\s/.test(name) ? JSON.stringify(name) : name} tries it.`,
    )
    return 0
  },
}

/** Nobody is let out by a new command. */
function keepingSandbox(there: unknown, entry: object): object {
  const { sandbox } = (there ?? {}) as { sandbox?: unknown }
  return sandbox === undefined || 'url' in entry ? entry : { ...entry, sandbox }
}

function entryOf(rest: readonly string[], { values }: CommandContext): object {
  const [first, ...args] = rest
  if (first === undefined) throw new UsageError('add: give -- COMMAND … or a URL.')
  const about = {
    ...(values['description'] !== undefined && { description: values['description'] }),
    ...(values['tag'] !== undefined && { tags: values['tag'] }),
  }
  const env = pairs(values['env'], '--env')
  const headers = pairs(values['header'], '--header')
  if (/^https?:\/\//i.test(first)) {
    if (args.length > 0) throw new UsageError(`add: ${args[0]} after the URL means nothing.`)
    if (env) throw new UsageError('add: --env is for commands; --header is for URLs.')
    return {
      ...about,
      ...(values['sse'] === true && { type: 'sse' }),
      url: first,
      ...(headers && { headers }),
    }
  }
  if (first.includes('://')) throw new UsageError(`add: ${first} is no http or https URL.`)
  if (headers) throw new UsageError('add: --header is for URLs; --env is for commands.')
  return { ...about, command: first, ...(args.length > 0 && { args }), ...(env && { env }) }
}

function withAccount(there: unknown, account: string, { values, words }: CommandContext): object {
  if (typeof there !== 'object' || there === null)
    throw new UsageError(`add --account: add ${words[0]} itself first.`)
  const { accounts = {} } = there as { accounts?: Record<string, object> }
  if (Object.hasOwn(accounts, account) && values['force'] !== true)
    throw new UsageError(
      `add --account ${account}: there is one already; --force puts this in its place.`,
    )
  const env = pairs(values['env'], '--env')
  const headers = pairs(values['header'], '--header')
  const [, first, ...args] = words
  const isUrl = first !== undefined && /^https?:\/\//i.test(first)
  const { command } = there as { command?: string }
  if (values['tag'] !== undefined || values['sse'] === true)
    throw new UsageError('add --account: --tag and --sse are of the server, not of an account.')
  if (first !== undefined && isUrl === (command !== undefined))
    throw new UsageError(
      `add --account: ${words[0]} has a ${command ? 'command' : 'url'}, and so have its accounts.`,
    )
  if (first !== undefined && !isUrl && first !== command)
    throw new UsageError(
      `add --account: the command of ${words[0]} is ${command}; its accounts have other arguments or variables.`,
    )
  const own = {
    ...(values['description'] !== undefined && { description: values['description'] }),
    ...(isUrl ? { url: first } : first !== undefined && { args }),
    ...(env && { env }),
    ...(headers && { headers }),
  }
  return { ...there, accounts: { ...accounts, [account]: own } }
}

function pairs(given: unknown, flag: string): Record<string, string> | undefined {
  if (!Array.isArray(given)) return undefined
  return Object.fromEntries(
    (given as string[]).map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`${flag}: write it as NAME=VALUE.`)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
