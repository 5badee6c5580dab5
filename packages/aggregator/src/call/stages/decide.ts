import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { fingerprintOf } from '../../catalog/entries/catalog-entry.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import {
  type Decision,
  defaultSetting,
  type Permissions,
  type Requested,
} from '../../catalog/policy/permissions.ts'
import { hashOf } from '../../catalog/trust/pin.ts'
import { trustSetting } from '../../catalog/trust/trust.ts'
import { callDenied, hasChanged } from '../approval/approval-errors.ts'

interface DecideDeps {
  gateway: Pick<Gateway, 'fleet' | 'trust'>
}

/** Decides about a call of a tool as it is offered; undefined if nothing says anything of it. */
export async function decideToolCall(
  { server, name, upstreamName, definition }: CatalogTool,
  args: unknown,
  client: Pick<RequestContext, 'session'>,
  deps: DecideDeps,
): Promise<Decision | undefined> {
  const { fleet, trust } = deps.gateway
  const target = { kind: 'tool', names: [name, upstreamName], definition, args } as const
  const request = requestedBy(client, { server, target }, deps)
  const decision = await fleet.permissions?.decide(request)
  if (decision && (decision.effect !== 'allow' || decision.setting !== defaultSetting))
    return decision
  const reason = trust.whyAsk(server, upstreamName, definition)
  return reason === undefined ? decision : { effect: 'ask', setting: trustSetting, reason }
}

/** A request for a resource, a prompt or a completion, as it is sent to its server. */
export interface Read {
  method: string
  params: JsonObject
}

/**
 * Decides about such a request. What cannot wait, such as a subscription, is not asked, but denied.
 * @throws {AggregatorError} `call_denied`
 */
export async function decideRead(
  server: CatalogTool['server'],
  read: Read,
  client: Pick<RequestContext, 'session'>,
  deps: DecideDeps,
): Promise<Decision | undefined> {
  const { permissions } = deps.gateway.fleet
  if (permissions === undefined) return undefined
  const target = targetOf(read)
  const decision = await permissions.decide(requestedBy(client, { server, target }, deps))
  const name = `${qualifiedName(server)}.${read.method}`
  if (decision.effect === 'deny') throw callDenied(name, decision)
  if (decision.effect === 'allow' || canWait.has(read.method)) return decision
  throw callDenied(name, {
    ...decision,
    reason: 'a person must approve it, and such a request cannot wait',
  })
}

const canWait = new Set(['resources/read', 'resources/directory/read', 'skills/get', 'prompts/get'])

/** By the method: a client may add other members, which its server ignores. */
function targetOf({ method, params }: Read): Requested['target'] {
  const isCompletion = method === 'completion/complete'
  const { type, uri, name } = (isCompletion ? Object(params['ref']) : params) as JsonObject
  const isPrompt = isCompletion ? type === 'ref/prompt' : method === 'prompts/get'
  return isPrompt ? { kind: 'prompt', name: String(name) } : { kind: 'resource', uri: String(uri) }
}

export const requestedBy = (
  { session: { access } }: Pick<RequestContext, 'session'>,
  request: Pick<Requested, 'server' | 'target'>,
  { gateway }: DecideDeps,
): Requested => ({
  ...request,
  caller: access?.caller,
  profile: gateway.fleet.profiles.of(access).name,
})

/** What a request is for. */
export interface About {
  server: CatalogTool['server']
  /** Of a read, the method. */
  tool: string
  /** Undefined for a read. */
  offered?: CatalogTool
  args: unknown
}

interface Decided {
  about: About
  decision: Decision
  permissions: Permissions
}

/**
 * While a user was asked, or a server started, the tool and the configuration may have changed.
 * @throws {AggregatorError} if the request must not be sent as it was decided `before`
 */
export async function checkAgain(
  { server, tool, offered }: About,
  decide: () => Promise<Decision | undefined>,
  before: Decided,
  { gateway: { fleet } }: DecideDeps,
): Promise<void> {
  const isSame = isSameTool(offered, before.about.offered)
  // Each configuration has its own, also if its rules are the same.
  if (isSame && fleet.permissions === before.permissions) return
  const again = await decide()
  const name = `${qualifiedName(server)}.${tool}`
  if (again?.effect === 'deny') throw callDenied(name, again)
  const isForSame =
    isSame && isSameStart(before.about.server, fleet.units.get(qualifiedName(server)))
  const isBound = before.decision.effect === 'ask'
  if (isStricter(again, before.decision) || (isBound && !isForSame)) throw hasChanged(name)
}

const isSameStart = (server: About['server'], now: About['server'] | undefined): boolean =>
  now !== undefined && fingerprintOf(now) === fingerprintOf(server)

const isStricter = (decision: Decision | undefined, before: Decision): boolean =>
  decision?.effect === 'ask' &&
  (before.effect === 'allow' || (decision.needsAnother === true && before.needsAnother !== true))

const isSameTool = (a: CatalogTool | undefined, b: CatalogTool | undefined): boolean =>
  (a?.definition === b?.definition && a?.upstreamName === b?.upstreamName) ||
  (a !== undefined && b !== undefined && identityOf(a) === identityOf(b))

/** Its definition, and the tool that its server calls so. */
export const identityOf = ({ definition, upstreamName }: CatalogTool): string =>
  `${hashOf(definition)} ${upstreamName}`
