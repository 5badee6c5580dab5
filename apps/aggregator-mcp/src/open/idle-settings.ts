import type { Aggregator, AggregatorConfig } from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'

type Configured = Pick<AggregatorConfig, 'ignored'>

/** Of a configuration and the tools that are known: consoles ask for them again and again. */
const cache = new WeakMap<Configured, { version: number; texts: Promise<string[]> }>()

/** A sentence for each setting that has no effect, as far as the tools of the servers are known. */
export function idleSettings(
  config: Configured,
  { gateway }: Pick<Aggregator, 'gateway'>,
): Promise<string[]> {
  const { version } = gateway.catalog
  const cached = cache.get(config)
  if (cached?.version === version) return cached.texts
  const ofClients = config.ignored.map(
    (path) => `${path} is a setting of a client and has no effect here.`,
  )
  const all = gateway.fleet.unmatched().then((unmatched) => [...ofClients, ...unmatched])
  cache.set(config, { version, texts: all })
  return all
}

/** A sentence for each setting that the way of serving makes idle. */
export function withoutEffect(
  options: Settings,
  { callers, oauth, permissions = {} }: AggregatorConfig['settings'],
): string[] {
  const isHttp = options.http !== undefined
  const { deny = [], ask = [], allow = [] } = permissions
  const hasCallers = [...deny, ...ask, ...allow].some((rule) => rule.callers !== undefined)
  const checks: [boolean, string][] = [
    [
      !isHttp && hasCallers,
      'Rules with "callers" in aggregator.permissions are for no call without --http.',
    ],
    [!isHttp && callers !== undefined, 'aggregator.callers has no effect without --http.'],
    [!isHttp && oauth !== undefined, 'aggregator.oauth has no effect without --http.'],
    [!isHttp && options.httpHosts.length > 0, '--http-host has no effect without --http.'],
    [
      !isHttp && options.trustedProxies.length > 0,
      '--trusted-proxies has no effect without --http.',
    ],
    [!isHttp && options.tlsCert !== undefined, '--tls-cert has no effect without --http.'],
    [!isHttp && options.tlsKey !== undefined, '--tls-key has no effect without --http.'],
    [!isHttp && options.publicUrl !== undefined, '--public-url has no effect without --http.'],
    [!isHttp && options.token !== undefined, 'AGGREGATOR_MCP_TOKEN has no effect without --http.'],
    [isHttp && options.resultFiles, '--result-files has no effect with --http.'],
    [
      !options.databaseUrl && !options.redisUrl && options.clusterKey !== undefined,
      'PITH_CLUSTER_KEY has no effect without PITH_DATABASE_URL or PITH_REDIS_URL.',
    ],
    ...(['Url', 'Listen', 'Name'] as const).map((what): [boolean, string] => [
      !options.redisUrl && options[`replica${what}`] !== undefined,
      `PITH_REPLICA_${what.toUpperCase()} has no effect without PITH_DATABASE_URL and PITH_REDIS_URL.`,
    ]),
  ]
  return checks.flatMap(([isIdle, sentence]) => (isIdle ? [sentence] : []))
}

/** What stays the same while more names become known. */
const settingIn = (text: string): string => text.split(' The most similar', 1)[0] ?? text

/** Milliseconds between looks for new lists. */
const everyMs = 1_000

/**
 * Warns once of each setting that has no effect, when the lists of its servers are known. `texts` are
 * those of now.
 */
export function warnOfIdleSettings(config: () => Configured, aggregator: Aggregator, log: Log) {
  let version = -1
  let warned = new Set<string>()
  let texts: readonly string[] = []
  const look = async (): Promise<void> => {
    const { catalog } = aggregator.gateway
    if (catalog.version === version) return
    version = catalog.version
    texts = await idleSettings(config(), aggregator)
    for (const text of texts) if (!warned.has(settingIn(text))) log(text, 'warn')
    warned = new Set(texts.map(settingIn))
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return { texts: () => texts, stop: () => clearInterval(timer) }
}
