import { forModel } from '#scan/server-text'
import type { ServerConfig } from '#servers/config/server-config'
import { groupBy } from '#servers/protocol/group-by'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Gateway } from '../catalog/gateway.ts'
import type { ToolView } from '../catalog/tool-view.ts'

/** Characters of the last error of a server. */
const maxReasonLength = 160

/** Why a server cannot be called now, and what to do about it. */
export function troubleOf(server: ServerConfig, gateway: Gateway): string | undefined {
  const { instances } = gateway.fleet.statusOf(server)
  const problem =
    instances.find(({ needsSignIn }) => needsSignIn) ??
    instances.find(({ state }) => state === 'down')
  if (!problem?.needsSignIn && instances.some(({ state }) => state === 'ready')) return undefined
  return problem && describeTrouble(server, problem, gateway)
}

/** Why the tools of a server are not known. */
export function whyUnknown(server: ServerConfig, gateway: Gateway): string {
  const trouble = troubleOf(server, gateway)
  if (trouble !== undefined) return trouble
  const name = qualifiedName(server)
  if (gateway.fleet.control.isStopped(name))
    return `was stopped. ${gateway.remedies.startServer(name).replace(/\.$/, '')}`
  const { instances } = gateway.fleet.statusOf(server)
  const failed = instances.find(({ lastError }) => lastError !== undefined)
  if (failed?.lastError !== undefined)
    return `failed: ${forModel(failed.lastError, maxReasonLength)}; try again`
  return instances.some(({ state }) => state === 'starting')
    ? 'is still starting; try again'
    : 'has not listed its tools yet; try again'
}

/** The servers whose tools are not known, in one line with the reasons; undefined if all are known. */
export function unknownOnes({ unknown }: ToolView, gateway: Gateway): string | undefined {
  if (unknown.length === 0) return undefined
  const byReason = groupBy(unknown, (server) => whyUnknown(server, gateway).replace(/\s+/g, ' '))
  const parts = [...byReason].map(([why, servers]) => {
    const names = servers.map(qualifiedName).join(', ')
    return `${names}, ${servers.length > 1 ? 'each of ' : ''}which ${why}`
  })
  return `${parts.join('. Nor ')}.`
}

function describeTrouble(
  server: ServerConfig,
  {
    lastError = '',
    retryInMs,
    needsSignIn,
  }: { lastError?: string | undefined; retryInMs: number; needsSignIn?: boolean },
  { remedies }: Gateway,
): string {
  if (needsSignIn)
    return `needs a sign-in. ${remedies.signIn(qualifiedName(server)).replace(/\.$/, '')}`
  if (server.problem !== undefined)
    return `cannot be used with its configuration: ${server.problem}`
  const when = retryInMs > 0 ? `; next try in ${Math.ceil(retryInMs / 1000)} s` : ''
  return `is down: ${forModel(lastError, maxReasonLength)}${when}`
}
