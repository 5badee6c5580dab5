import { AggregatorError } from '../protocol/aggregator-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { type Environment, expandVariables, withoutLookUps } from './expand-variables.ts'
import type { HttpServer, ServerConfig, StdioServer } from './server-config.ts'
import type { ServerEntry } from './server-entry.ts'
import { toSandbox } from './to-sandbox.ts'
import { type ToolRules, toolRules } from './tool-rules.ts'

/** Converts a valid entry. @throws {AggregatorError} `bad_config` */
export function toServer(name: string, entry: ServerEntry, environment: Environment): ServerConfig {
  const own: ServerConfig = { ...settingsOf(name, entry), ...launchOf(name, entry, environment) }
  const { accounts, account: chosen } = entry
  if (accounts === undefined) return own
  const units = Object.entries(accounts)
    // The default account first.
    .sort(([one], [other]) => Number(other === chosen) - Number(one === chosen))
    .map(([account, { description, ...launch }]): ServerConfig => {
      const merged: ServerEntry = {
        ...entry,
        ...launch,
        env: { ...entry.env, ...launch.env },
        headers: { ...entry.headers, ...launch.headers },
      }
      if (launch.url !== undefined)
        for (const key of ['serverUrl', 'httpUrl'] as const) delete merged[key]
      const path = `${name}.accounts.${account}`
      return {
        ...settingsOf(name, entry),
        ...launchOf(path, merged, environment),
        account,
        ...(description !== undefined && { description }),
      }
    })
  return { ...own, accounts: units }
}

/** A rule that the schema has is a rule of the server: nothing is copied by name. */
const ruleKeys = Object.keys(toolRules.shape) as (keyof ToolRules)[]

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])),
  ) as Pick<T, K>

function settingsOf(name: string, entry: ServerEntry) {
  const { timeoutSeconds = 300, startTimeoutSeconds = 30, idleMinutes = 15 } = entry
  const { rate, maxConcurrency } = entry
  const rules = pick(entry, ruleKeys)
  return {
    name,
    description: entry.description,
    tags: entry.tags,
    ...(Object.keys(rules).length > 0 && { rules }),
    ...((rate ?? maxConcurrency) !== undefined && { limits: { rate, maxConcurrency } }),
    isPinned: entry.pin,
    timeoutMs: timeoutSeconds * 1000,
    startTimeoutMs: startTimeoutSeconds * 1000,
    idleMs: idleMinutes * 60_000,
    per: entry.per ?? 'replica',
    maxInstances: entry.maxInstances,
    ...(entry.asks && { asks: entry.asks }),
    ...(entry.era && { era: entry.era === '2025' ? ('legacy' as const) : ('modern' as const) }),
  }
}

type Launch =
  | Pick<
      StdioServer,
      'type' | 'command' | 'args' | 'env' | 'cwd' | 'sandbox' | 'variables' | 'problem'
    >
  | Pick<HttpServer, 'type' | 'url' | 'headers' | 'oauth' | 'variables' | 'problem'>

/** How a server is started or reached, with variables expanded. */
function launchOf(path: string, entry: ServerEntry, environment: Environment): Launch {
  const problems: string[] = []
  const variables: string[] = []
  const expand = (text: string, at: string): string => {
    const { text: expanded, missing, values } = expandVariables(text, environment)
    variables.push(...values)
    for (const variable of missing) problems.push(`${at} refers to ${variable}, which is not set`)
    return expanded
  }
  const expandAll = (values: Record<string, string> = {}, at: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, text]) => [key, expand(text, `${at}.${key}`)]),
    )
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl
  const cwd = entry.cwd === undefined ? undefined : expand(entry.cwd, 'cwd')
  const fault = (text: string): void => void problems.push(text)
  const launch: Launch =
    address === undefined
      ? {
          type: 'stdio',
          command: expand(entry.command ?? '', 'command'),
          args: (entry.args ?? []).map((text, index) => expand(text, `args[${index}]`)),
          env: expandAll(entry.env, 'env'),
          cwd,
          ...(entry.sandbox && {
            sandbox: toSandbox(entry.sandbox, { environment, cwd, expand, fault }),
          }),
          variables,
        }
      : {
          type: entry.type === 'sse' ? 'sse' : 'http',
          url: expand(address, 'url'),
          headers: expandAll(entry.headers, 'headers'),
          ...(entry.oauth && { oauth: oauthOf(entry.oauth, expand) }),
          variables,
        }
  if (launch.type !== 'stdio' && problems.length === 0 && !isWebAddress(launch.url))
    throw new AggregatorError(
      'bad_config',
      `mcpServers.${path}.url: ${quoteValue(address)} is not an http or https URL.`,
      'Correct the configuration file.',
    )
  return problems.length === 0 ? launch : { ...launch, problem: problems.join('; ') }
}

function oauthOf(
  oauth: NonNullable<ServerEntry['oauth']>,
  expand: (text: string, at: string) => string,
): HttpServer['oauth'] {
  const { clientSecret } = oauth
  if (clientSecret === undefined) return oauth
  return { ...oauth, clientSecret: expand(clientSecret, 'oauth.clientSecret') }
}

/** Checks the URL without its secret parts, which are looked up later. */
const isWebAddress = (text: string): boolean => {
  const plain = withoutLookUps(text)
  return URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol)
}
