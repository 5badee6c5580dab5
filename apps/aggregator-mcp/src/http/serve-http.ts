import type { Aggregator, AggregatorSettings } from '@pith-mcp/aggregator'
import {
  type Callers,
  createAdmission,
  createResourceServer,
  DoorError,
  type FileTokens,
  metadataRoute,
  openDoor,
} from '@pith-mcp/door'
import { UsageError } from '../usage-error.ts'
import { nothingHere, type ProfileRules, path } from './admit.ts'
import { mcpRoute } from './mcp-route.ts'
import { noteRefusals } from './note-refusal.ts'

export interface HttpOptions {
  /** `[host:]port`. */
  address: string
  /** Names under which the server is reached, beside that of this machine. */
  hosts: readonly string[]
  /** Of whoever may do everything. */
  token: string | undefined
  /** Kept ones, if anything is kept. */
  tokens: FileTokens | undefined
  oauth: AggregatorSettings['oauth']
  /** As configured now; asked at each request, as the rules. */
  callers: () => Callers
  rules: () => ProfileRules
  aggregator: Aggregator
  onLog: (text: string) => void
  onError: (error: unknown) => void
}

export interface HttpServing {
  url: string
  close(): Promise<void>
}

/** Open the door. @throws {UsageError} for an address that is none, or too open. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { address, hosts, tokens, aggregator, onLog, onError } = options
  const mcp = mcpRoute(aggregator, options.rules, onError)
  const door = await opening(() => {
    const oauth = options.oauth && createResourceServer({ ...options.oauth, onLog })
    const admission = createAdmission({
      owner: options.token,
      callers: options.callers,
      tokens,
      oauth,
    })
    return openDoor({
      address,
      hosts,
      publicUrl: oauth?.resource,
      admission,
      routes: [mcp.route, ...(oauth ? [metadataRoute(oauth)] : [])],
      nothingHere,
      onRefused: noteRefusals(aggregator.serving.recording.journal),
      onError,
    })
  })
  return {
    url: `${door.url}${path}`,
    async close() {
      await door.close()
      await mcp.close()
      tokens?.close()
    },
  }
}

async function opening<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof DoorError)) throw error
    const remedies: Partial<Record<DoorError['code'], string>> = {
      too_open:
        ' Set AGGREGATOR_MCP_TOKEN or callers in the configuration, or listen on 127.0.0.1.',
    }
    const where = error.code === 'bad_oauth' ? 'aggregator.' : '--http '
    throw new UsageError(`${where}${error.message}${remedies[error.code] ?? ''}`)
  }
}
