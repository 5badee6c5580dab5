import type { Aggregator, AggregatorConfig } from '@pith-mcp/aggregator'
import { type OpenedAggregator, openAggregator } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import type { CommandContext } from './command.ts'

/** An aggregator for one command, with the requested profile. */
export interface Opened extends Pick<OpenedAggregator, 'aggregator' | 'state'> {
  config(): AggregatorConfig
  viewer: {
    session: Parameters<Aggregator['gateway']['discovery']['readUnlessStored']>[1]
    capabilities: Record<string, never>
  }
  /** Calls one of our own tools as a client would. Rejects with JSON-RPC errors. */
  callOwnTool(name: string, args: object): ReturnType<Aggregator['request']>
}

/** Open an aggregator for `work`. Stops all servers that it started afterwards, or on Ctrl-C. */
export async function withAggregator<T>(
  { settings, log }: Pick<CommandContext, 'settings' | 'log'>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = await readConfigFiles(settings)
  const { aggregator, state } = await openAggregator(
    config,
    {
      ...settings,
      mode: 'meta',
      isCommand: true,
      maxResultCharacters: Number.MAX_SAFE_INTEGER,
      firstPageCharacters: Number.MAX_SAFE_INTEGER,
    },
    log,
  )
  const interrupted = new AbortController()
  const interrupt = (): void => {
    // A second Ctrl-C exits without cleaning up.
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort(new Error('interrupted'))
    void aggregator.close().finally(() => process.exit(130))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    const access = { profile: settings.profile ?? config.settings.profile }
    const session = { id: 'cli', era: 'modern', access, capabilities: {}, notify() {} } as const
    return await work({
      aggregator,
      state,
      config: () => config,
      viewer: { session, capabilities: {} },
      callOwnTool: (name, args) =>
        aggregator.request(
          { method: 'tools/call', params: { name, arguments: args } },
          { access, signal: interrupted.signal },
        ),
    })
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await aggregator.close()
  }
}
