import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AggregatorConfig } from '@pith-mcp/aggregator'
import {
  createAdmission,
  createResourceServer,
  DoorError,
  type FileTokens,
  metadataRoute,
  openDoor,
} from '@pith-mcp/door'
import type { Settings } from '../config.ts'
import { type Console, openConsole } from '../console/open-console.ts'
import { nothingHere, type ProfileRules, path } from '../http/admit.ts'
import { mcpRoute } from '../http/mcp-route.ts'
import { noteRefusals } from '../http/note-refusal.ts'
import type { OpenedAggregator } from '../open/open-aggregator.ts'
import { metricsRoute } from '../telemetry/metrics-route.ts'
import type { OpenedTelemetry } from '../telemetry/open-telemetry.ts'
import { UsageError } from '../usage-error.ts'

export interface HttpOptions {
  settings: Settings & { http: string }
  opened: OpenedAggregator
  telemetry: OpenedTelemetry
  /** As it is now; asked at each request. */
  config: () => AggregatorConfig
  /** Kept ones, if anything is kept. */
  tokens: FileTokens | undefined
  onLog: (text: string) => void
  onError: (error: unknown) => void
}

export interface HttpServing {
  /** Of MCP. */
  url: string
  origin: string
  console: Console
  /** The console has pages, beside its API. */
  hasPages: boolean
  /** Whoever can connect may call. */
  isOpenToAll: boolean
  close(): Promise<void>
}

/** Open the door. @throws {UsageError} for an address that is none, or too open. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { settings, opened, telemetry, config, tokens, onLog, onError } = options
  const { aggregator } = opened
  const mcp = mcpRoute(aggregator, () => rulesOf(settings, config()), onError)
  const folder = await consoleFolder()
  const { oauth: oauthSettings } = config().settings
  const { door, console, admission } = await opening(async () => {
    const oauth = oauthSettings && createResourceServer({ ...oauthSettings, onLog })
    const publicUrl = oauth?.resource
    const console = openConsole({ opened, settings, config, tokens, publicUrl, folder })
    const admission = createAdmission({
      owner: settings.token,
      callers: () => config().settings.callers ?? noCallers,
      tokens,
      oauth,
      sessionOf: console.sessionOf,
      isSessionOpen: console.isSessionOpen,
    })
    const door = await openDoor({
      address: settings.http,
      hosts: settings.httpHosts,
      publicUrl,
      admission,
      routes: [
        mcp.route,
        ...(oauth ? [metadataRoute(oauth)] : []),
        ...(telemetry?.hasMetrics ? [metricsRoute(telemetry)] : []),
        ...console.routes(admission),
      ],
      nothingHere,
      onRefused: noteRefusals(opened.journal),
      onClosing: console.close,
      onError,
    })
    return { door, console, admission }
  })
  console.isOpenAt(door.url, door.port)
  return {
    url: `${door.url}${path}`,
    origin: door.url,
    console,
    hasPages: folder !== undefined,
    isOpenToAll: !admission.isLocked(),
    async close() {
      await door.close()
      await mcp.close()
      tokens?.close()
    },
  }
}

const noCallers = {}

const rulesOf = ({ profile }: Settings, { settings }: AggregatorConfig): ProfileRules => ({
  onlyProfile: profile,
  defaultProfile: settings.profile,
  profiles: Object.keys(settings.profiles ?? {}),
})

/** Undefined before it was built. */
async function consoleFolder(): Promise<string | undefined> {
  const { consoleFolder: folder } = await import('@pith-mcp/console')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

async function opening<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof DoorError)) throw error
    const remedies: Partial<Record<DoorError['code'], string>> = {
      too_open:
        ' Make a token by "aggregator-mcp token create", set AGGREGATOR_MCP_TOKEN or callers in the configuration, or listen on 127.0.0.1.',
      cannot_listen: ' Name another port.',
    }
    const where = error.code === 'bad_oauth' ? 'aggregator.' : '--http '
    throw new UsageError(`${where}${error.message}${remedies[error.code] ?? ''}`)
  }
}
