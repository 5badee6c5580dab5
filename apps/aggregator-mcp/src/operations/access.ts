import { hidingBy, qualifiedName } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { checkProfile, type OperationContext, type StateContext } from './context.ts'
import { costOf } from './described-server.ts'
import { component, type Operation, operation } from './operation.ts'
import { badRequest, notFound } from './problem.ts'
import { modeTokens } from './usage.ts'

const access = component('Access', {
  profile: z.string().optional().describe('Absent: everything.'),
  tools: z.array(z.object({ server: z.string(), name: z.string(), tokens: z.int() })),
  missing: z
    .array(z.object({ server: z.string(), name: z.string(), reason: z.string() }))
    .describe('Tools that are known and that it cannot call, with the reason.'),
  unknown: z.array(z.string()).describe('Servers of the profile whose tools are not known yet.'),
  listTokens: modeTokens,
})

export const accessOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/access',
    summary: 'List what a caller, a token or a profile can call, and why it cannot call the rest.',
    query: z.object({
      caller: z.string().optional().describe('A configured caller, or token:NAME.'),
      profile: z.string().optional(),
    }),
    answer: access,
    async run({ caller, profile: requested }, context) {
      const { profile } = accessOf({ caller, profile: requested }, context)
      return describeAccess(profile, context)
    },
  }),
]

/** What a caller or a profile may do. @throws {ApiError} for both, or one that does not exist */
export function accessOf(
  { caller, profile: requested }: { caller?: string | undefined; profile?: string | undefined },
  context: AccessContext,
) {
  if (caller !== undefined && requested !== undefined)
    throw badRequest('query must have caller or profile, not both.')
  const profile = caller === undefined ? requested : profileOf(caller, context)
  checkProfile(profile, context)
  return { caller, profile, ...(caller?.startsWith('token:') && { isGuest: true }) }
}

type AccessContext = Pick<StateContext, 'config' | 'state'>

/** The profile of a caller. @throws {ApiError} 404 */
function profileOf(caller: string, { config, state }: AccessContext): string | undefined {
  const { callers = {}, profile } = config().settings
  const token = state.tokens?.list().find(({ name }) => caller === `token:${name}`)
  const holder = Object.hasOwn(callers, caller) ? callers[caller] : token
  if (holder === undefined)
    throw notFound(`caller ${JSON.stringify(caller)}`, 'GET /profiles lists them.')
  return holder.profile ?? profile
}

/** What a profile can call, and why it cannot call the rest; of no profile, everything. */
export async function describeAccess(
  name: string | undefined,
  { aggregator, ownerSession }: Pick<OperationContext, 'aggregator' | 'ownerSession'>,
): Promise<z.input<typeof access>> {
  const { gateway } = aggregator
  const viewOf = (profile: string | undefined) =>
    gateway.viewFor({ session: { ...ownerSession, access: { profile } }, capabilities: {} })
  const view = viewOf(name)
  const policy = gateway.fleet.profiles.of({ profile: name })
  const excluded = viewOf(undefined).tools.flatMap(({ server, definition, ...tool }) => {
    if (view.tool(server.name, tool.name) !== undefined) return []
    const whole = gateway.fleet.servers.find((each) => each.name === server.name) ?? server
    const names = [tool.name, tool.upstreamName]
    const key =
      policy.leftOutBy(whole) ?? policy.exclusionOf(server, names, definition) ?? 'accounts'
    const { setting, reason } = hidingBy(`aggregator.profiles.${name}.${key}`)
    return [{ server: server.name, name: tool.name, reason: `${setting}: ${reason}` }]
  })
  const { receipt } = await aggregator.receipt({ access: { profile: name }, ask: false })
  return {
    profile: name,
    tools: view.tools.map(({ server, name, definition }) => ({
      server: server.name,
      name,
      tokens: costOf(definition),
    })),
    missing: [
      ...view.absent.map(({ server, name, reason }) => ({ server: server.name, name, reason })),
      ...excluded,
    ],
    unknown: view.unknown.map(qualifiedName),
    listTokens: receipt.listTokens,
  }
}
