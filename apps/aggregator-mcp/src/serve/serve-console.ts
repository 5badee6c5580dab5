import { type AggregatorConfig, createKeychain } from '@pith-mcp/aggregator'
import { openConsole } from '@pith-mcp/console/server'
import type { Settings } from '../config.ts'
import { notFoundText } from '../http/authorize-profile.ts'
import type { OpenedAggregator } from '../open/open-aggregator.ts'
import { apiOf } from '../operations/api-of.ts'
import { createSignInStates, type OperationContext } from '../operations/context.ts'
import { allServers } from '../operations/servers.ts'
import { createSecretStore } from '../secrets/secret-store.ts'

export interface ServeConsoleOptions {
  opened: OpenedAggregator
  settings: Settings
  config: () => AggregatorConfig
  /** The URL that browsers use, if it differs from ours. */
  publicUrl: string | undefined
  onLog: (text: string) => void
}

/** The console of an aggregator, and its API. */
export function serveConsole({ opened, settings, config, publicUrl, onLog }: ServeConsoleOptions) {
  const context: OperationContext = {
    ...opened,
    settings,
    config,
    changed: (what) => console.live.changed(what),
    secrets: createSecretStore(createKeychain(), settings.state),
    signInStates: createSignInStates(opened.signIns),
    ownerSession: { id: 'console', era: 'modern', capabilities: {}, notify() {} },
    mcpUrl: () => `${console.baseUrl()}/mcp`,
    startedAt: new Date().toISOString(),
  }
  const console = openConsole({
    api: apiOf(context),
    live: {
      servers: () => allServers(context),
      versions: () => ({
        approvals: opened.state.approvals.version(),
        pins: opened.state.pins.version(),
        catalog: opened.aggregator.gateway.catalog.version,
        config: config(),
      }),
    },
    shared: opened.state.engines.shared,
    publicUrl,
    hasTls: settings.tlsCert !== undefined,
    notFoundText,
    onLog,
  })
  const subscriptions = [
    opened.journal.subscribe(console.live.record),
    opened.signIns.onSignedIn((unit) => {
      context.signInStates.forget(unit)
      console.live.changed('sign-ins')
    }),
  ]
  return {
    ...console,
    close() {
      for (const unsubscribe of subscriptions) unsubscribe()
      console.live.close()
    },
  }
}
