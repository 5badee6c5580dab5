import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { type Decision, defaultSetting } from '../catalog/policy/permissions.ts'
import {
  type HidingKey,
  hidingBy,
  hidingKeys,
  hidingRule,
  serverSetting,
  shapeTool,
} from '../catalog/policy/tool-rules.ts'
import { trustSetting } from '../catalog/trust/trust.ts'
import { callDenied } from './approval/approval-errors.ts'
import { type CallDeps, prepareCall, type RequestedCall } from './pipeline.ts'
import { decideToolCall, requestedBy } from './stages/decide.ts'

/** What would happen to a call. */
export interface Explanation {
  /** With its account, as SERVER@ACCOUNT. */
  server: string
  tool: string
  /** As they would be sent, or as they were given if the call is refused before. */
  args: unknown
  /** What would be mended. */
  repairs: readonly string[]
  decision: Decision & { remedy?: string | undefined }
  /** The settings that concern the tool, in the order in which they decide. */
  steps: readonly Step[]
}

/** A setting and what it says about a tool. */
interface Step {
  setting: string
  says: string
  /** No client, or not this one, can see the tool. */
  hides: boolean
}

type Deps = Pick<CallDeps, 'gateway' | 'limits'>

/**
 * Finds the tool, checks the arguments and decides, as for a call; calls nothing. A server that was
 * not used yet is started, to see that it can be.
 * @throws {AggregatorError} for wrong arguments, and for a name that nothing has
 */
export async function explainCall(
  requested: RequestedCall,
  context: RequestContext,
  deps: Deps,
): Promise<Explanation> {
  const { gateway } = deps
  const stepsNow = () => listedTool(requested, context, gateway)
  try {
    const view = gateway.viewFor(context)
    const { tool, params, repairs } = await prepareCall(requested, { context, view }, gateway)
    const { server, name } = tool
    const args = params['arguments']
    const steps = [...stepsNow(), ...rulesOn(tool, args, context, gateway)]
    const decided = await decideToolCall(tool, args, context, deps)
    if (decided?.effect !== 'deny') await checkServer(tool, context, deps)
    const decision = decided
      ? { ...decided, remedy: remedyOf(decided, tool, gateway) }
      : { effect: 'allow' as const, setting: `${defaultSetting}, not set` }
    return { server: qualifiedName(server), tool: name, args, repairs, decision, steps }
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    const { module: server = '', tool, params: args } = requested
    const steps = stepsNow()
    const asGiven = { server, tool, args, repairs: [], steps }
    const hiding = steps.find(({ hides }) => hides)
    if (hiding) {
      const isDisabled = hiding.setting === serverSetting({ name: server })
      const why = {
        ...hidingBy(hiding.setting),
        ...(isDisabled && { reason: 'its server is disabled' }),
      }
      return { ...asGiven, decision: { effect: 'deny', ...why } }
    }
    if (isMistake(error)) throw error
    const { message: reason, remedy, setting = serverSetting({ name: server }) } = error
    return { ...asGiven, decision: { effect: 'deny', setting, reason, remedy } }
  }
}

const remedyOf = (
  decision: Decision,
  { server, name }: CatalogTool,
  { remedies }: Gateway,
): string | undefined => {
  if (decision.effect === 'ask') return remedies.approveCall(decision.needsAnother === true)
  if (decision.effect === 'allow') return undefined
  return callDenied(`${qualifiedName(server)}.${name}`, decision).remedy
}

/** The call cannot be made as it is written; no setting refuses it. */
const isMistake = ({ code, setting }: AggregatorError): boolean =>
  setting === undefined && (code === 'bad_argument' || code.startsWith('unknown_'))

/** @throws {AggregatorError} if the server cannot be used, or a limit is reached */
async function checkServer(
  { server, upstreamName }: CatalogTool,
  { session, capabilities }: RequestContext,
  { gateway, limits }: Deps,
): Promise<void> {
  const { discovery, fleet } = gateway
  fleet.control.check(server)
  const isStarted = await discovery.readUnlessCurrent(server, session, capabilities)
  const isDown = fleet.statusOf(server).instances.some(({ state }) => state === 'down')
  if (!isStarted && isDown)
    await gateway.instanceOf(server, session, capabilities).use(async () => {})
  await limits.check(session, server, upstreamName)
}

/**
 * A tool as its server lists it, also one that no client, or not this one, can see, with what the
 * lists of its server and of the profile say of it. Empty for a server that is not configured.
 */
function listedTool(
  { module = '', account, tool }: RequestedCall,
  { session: { access } }: RequestContext,
  { fleet, catalog, trust }: Gateway,
): Step[] {
  const unit = fleet.units.get(qualifiedName({ name: module, account })) ?? anyUnit(module, fleet)
  if (unit === undefined) {
    const setting = serverSetting({ name: module })
    return fleet.disabled.includes(module)
      ? [{ setting, says: 'disables its server', hides: true }]
      : []
  }
  const profile = fleet.profiles.of(access)
  const entry = catalog.entryOf(qualifiedName(unit))
  const isNamed = (name: string): boolean =>
    [name, shapeTool(name, {}, unit).name].some((each) => safeName(each) === tool)
  const server = fleet.servers.find(({ name }) => name === module) ?? unit
  const ofServer = serverSteps(profile, server, unit.account === account ? account : undefined)
  const listed = entry?.tools.find(({ name }) => isNamed(String(name)))
  // No list hides a tool that is not there.
  if (entry === undefined || listed === undefined) return ofServer
  const upstream = String(listed['name'])
  const { name, definition } = shapeTool(upstream, listed, unit)
  const names = [name, upstream]
  const ofProfile = `aggregator.profiles.${profile.name}`
  const excluding = profile.exclusionOf(unit, names, definition)
  const held = trust.review(unit, entry).get(upstream)
  return [
    ...stepsOf(serverSetting(unit), unit.rules, hidingRule(names, definition, unit)),
    ...ofServer,
    ...stepsOf(ofProfile, profile.settings, excluding),
    { setting: trustSetting, says: held?.why ?? 'does not hold it', hides: false },
  ]
}

/** What the lists of servers, tags and accounts of a profile say of a server, and of its account. */
function serverSteps(
  profile: ReturnType<Gateway['fleet']['profiles']['of']>,
  server: CatalogTool['server'],
  account: string | undefined,
): Step[] {
  const { servers, tags } = profile.settings
  const isLeftOut =
    account !== undefined && !profile.unitsOf(server).some((unit) => unit.account === account)
  const by = profile.leftOutBy(server) ?? (isLeftOut ? 'accounts' : undefined)
  if ((by ?? servers ?? tags) === undefined) return []
  const setting = `aggregator.profiles.${profile.name}.${by ?? (servers ? 'servers' : 'tags')}`
  const hides = by !== undefined
  return [{ setting, says: hides ? 'leaves it out' : 'includes its server', hides }]
}

const anyUnit = (module: string, { units }: Gateway['fleet']) =>
  [...units.values()].find(({ name }) => name === module)

const stepsOf = (
  at: string,
  rules: Partial<Record<HidingKey, unknown>> = {},
  hiding: HidingKey | undefined,
): Step[] =>
  hidingKeys
    .filter((key) => rules[key] !== undefined)
    .map((key) => ({
      setting: `${at}.${key}`,
      says: key === hiding ? 'hides it' : 'does not hide it',
      hides: key === hiding,
    }))

function rulesOn(
  { server, name, upstreamName, definition }: CatalogTool,
  args: unknown,
  context: RequestContext,
  gateway: Gateway,
): Step[] {
  const target = { kind: 'tool', names: [name, upstreamName], definition, args } as const
  const rules = gateway.fleet.permissions?.rulesOn(
    requestedBy(context, { server, target }, { gateway }),
  )
  return (rules ?? []).map(({ effect, setting, isConditional }) => ({
    setting,
    says: isConditional ? `${effect}, if its conditions are met` : effect,
    hides: false,
  }))
}
