import { quoteValue } from '../protocol/quote-value.ts'
import { badConfig } from './config-root.ts'
import { createExpander, type Environment, withoutLookUps } from './expand-variables.ts'
import { toSandbox } from './sandbox.ts'
import type { ServerConfig } from './server-config.ts'
import type { ServerEntry } from './server-entry.ts'

/** Converts a valid entry. @throws {AggregatorError} `bad_config` */
export function toServer(name: string, entry: ServerEntry, environment: Environment): ServerConfig {
  const { accounts, account: defaultAccount, ...shared } = entry
  const server = { name, ...launched(name, shared, environment) }
  if (accounts === undefined) return server
  const units = Object.entries(accounts)
    // The default account first.
    .sort(([a], [b]) => Number(b === defaultAccount) - Number(a === defaultAccount))
    .map(([account, override]): ServerConfig => {
      const merged: Unexpanded = {
        ...shared,
        ...override,
        env: { ...shared.env, ...override.env },
        headers: { ...shared.headers, ...override.headers },
      }
      if (override.url !== undefined)
        for (const key of ['serverUrl', 'httpUrl'] as const) delete merged[key]
      return { name, account, ...launched(`${name}.accounts.${account}`, merged, environment) }
    })
  return { ...server, accounts: units }
}

type Unexpanded = Omit<ServerEntry, 'account' | 'accounts'>

/** An entry with what starts or reaches the server, and with variables expanded. */
function launched(path: string, entry: Unexpanded, environment: Environment) {
  const { type, command = '', args = [], env, cwd: folder, sandbox, ...rest } = entry
  const { url, serverUrl, httpUrl, headers, oauth, enabled, disabled, ...settings } = rest
  const expander = createExpander(environment)
  const { expand, problems, variables } = expander
  const expandAll = (values: Record<string, string> = {}, at: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, text]) => [key, expand(text, `${at}.${key}`)]),
    )
  const address = url ?? serverUrl ?? httpUrl
  const cwd = folder === undefined ? undefined : expand(folder, 'cwd')
  const launch =
    address === undefined
      ? {
          type: 'stdio' as const,
          command: expand(command, 'command'),
          args: args.map((text, index) => expand(text, `args[${index}]`)),
          env: expandAll(env, 'env'),
          cwd,
          sandbox: sandbox && toSandbox(sandbox, cwd, environment, expander),
        }
      : {
          type: type === 'sse' ? ('sse' as const) : ('http' as const),
          url: expand(address, 'url'),
          headers: expandAll(headers, 'headers'),
          oauth: oauth && {
            ...oauth,
            ...(oauth.clientSecret && {
              clientSecret: expand(oauth.clientSecret, 'oauth.clientSecret'),
            }),
            ...(oauth.privateKey && { privateKey: expand(oauth.privateKey, 'oauth.privateKey') }),
          },
        }
  if (launch.type !== 'stdio' && problems.length === 0 && !isWebAddress(launch.url))
    throw badConfig(`mcpServers.${path}.url: ${quoteValue(address)} is not an http or https URL`)
  return { ...settings, ...launch, variables, problem: problems.join('; ') || undefined }
}

/** Checks the URL without its secret parts, which are looked up later. */
const isWebAddress = (text: string): boolean => {
  const address = withoutLookUps(text)
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
