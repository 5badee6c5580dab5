import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { createSignIns } from '../../../../oauth/src/sign-ins.ts'
import type { SignInsOptions } from '../../../../oauth/src/sign-ins-options.ts'
import { createMemoryTokenStore } from '../../../../oauth/src/token-store.ts'
import type { HttpServer, ServerConfig } from '../../../../servers/src/config/server-config.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { createAggregator } from '../../../src/server/aggregator.ts'
import type { AggregatorOptions } from '../../../src/server/aggregator-options.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import { configOf, createClient, textOf } from '../../fake-servers.ts'
import type { open } from './open-world.ts'

export type World = Awaited<ReturnType<typeof open>>

export const httpServer = (name: string, url: string, more: Partial<HttpServer> = {}): HttpServer =>
  configOf(name, {
    type: 'http',
    url,
    headers: {},
    // Longer than a test may take: a busy machine must not end a call.
    timeoutMs: 50_000,
    startTimeoutMs: 50_000,
    ...more,
  } as Partial<HttpServer>) as HttpServer

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sign-in-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** On a busy machine too. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, 20_000)

/** Sign-ins whose browser is that of the world, signed in as `user`; each tab it opens is noted. */
export function signInsIn(world: World, options: Partial<SignInsOptions> & { user?: string } = {}) {
  const tabs: string[] = []
  const logs: string[] = []
  const { user, ...rest } = options
  const store = rest.store ?? createMemoryTokenStore()
  const signIns = createSignIns({
    openBrowser(url) {
      tabs.push(url)
      // As a browser does, it goes on by itself.
      void world.openInBrowser(url, user).catch(() => {})
    },
    onLog: (text) => void logs.push(text),
    ...rest,
    store,
  })
  onTestFinished(signIns.close)
  return { signIns, tabs, logs, store }
}

/** An aggregator as a client sees it. */
export function aggregatorOf(
  servers: readonly ServerConfig[],
  options: Partial<AggregatorOptions> = {},
) {
  const logs: string[] = []
  const lines: JsonObject[] = []
  const journal = { write: (line: object) => void lines.push({ ...line }), close() {} }
  const onLog = (text: string) => void logs.push(text)
  const aggregator = createAggregator({ servers, journal, onLog, ...options })
  onTestFinished(aggregator.close)
  const client = createClient({ era: 'modern' })
  aggregator.gateway.clients.join(client.session)

  /** The text of the answer, whether it is one or an error. */
  async function use(name: string, params: JsonObject): Promise<string> {
    const request = { method: 'tools/call', params: { name, arguments: params } }
    return textOf(await answerRequest(request, client.context(), aggregator.deps))
  }
  const call = (module: string, tool = 'whoami', more: JsonObject = {}): Promise<string> =>
    use('call', { module, tool_name: tool, ...more })

  return {
    aggregator,
    client,
    call,
    search: (query: string) => use('search_tools', { query }),
    logs,
    lines,
    whoami: async (module: string, account?: string): Promise<string> => {
      const text = await call(module, 'whoami', account === undefined ? {} : { account })
      return text.startsWith('{') ? JSON.parse(text).user : text
    },
    statusOf: (module: string) =>
      aggregator.gateway.fleet
        .status()
        .filter(({ server }) => server.name === module)
        .flatMap(({ instances }) => instances)
        .at(-1),
  }
}
