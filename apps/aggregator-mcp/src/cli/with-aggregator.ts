import type { Aggregator } from '@pith-mcp/aggregator'
import { openAggregator } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import type { CommandContext } from './command.ts'

type Answer = Awaited<ReturnType<Aggregator['request']>>
type Viewer = Parameters<Aggregator['gateway']['viewFor']>[0]

/** An aggregator for one command, seen with the profile that is asked for. */
export interface Opened {
  aggregator: Aggregator
  viewer: Viewer & { session: Parameters<Aggregator['gateway']['know']>[1] }
  /** As a client would ask it. Rejects with errors of JSON-RPC. */
  request(method: string, params?: Record<string, unknown>): Promise<Answer>
}

/** Open one, work with it, and end all that it started, also by ctrl-C. */
export async function withAggregator<T>(
  { settings, log }: Pick<CommandContext, 'settings' | 'log'>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = await readConfigFiles(settings.config)
  const { aggregator } = await openAggregator(
    config,
    {
      ...settings,
      mode: 'meta',
      // Nobody reads on in a result of a process that has ended.
      resultCharacters: Number.MAX_SAFE_INTEGER,
    },
    log,
  )
  const interrupted = new AbortController()
  const interrupt = (): void => {
    // A second one does not wait.
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
      viewer: { session, capabilities: {} },
      request: (method, params = {}) =>
        aggregator.request({ method, params }, { access, signal: interrupted.signal }),
    })
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await aggregator.close()
  }
}
