import { setImmediate } from 'node:timers/promises'
import { hasPatterns } from '#servers/config/permission-patterns'
import { permissions as permissionSettings } from '#servers/config/permission-settings'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Gateway } from '../catalog/gateway.ts'
import { createPermissions, defaultSetting } from '../catalog/policy/permissions.ts'
import type { Viewer } from '../catalog/view-cache.ts'
import type { RecentCall, RecentCalls } from './journal/recent-calls.ts'

/** A call, and whether a rule would have met it. */
export interface JudgedCall {
  /** In ISO 8601. */
  time: string
  /** With its account, as SERVER@ACCOUNT. */
  server: string
  tool: string
  caller: string | undefined
  /** Undefined if its tool is not listed any more. */
  isMet: boolean | undefined
}

/**
 * The last calls, the newest first, and which of them the rules of a setting would have met.
 * @throws {AggregatorError} `bad_argument` for rules that are not valid
 */
export async function judgeRecent(
  settings: unknown,
  recent: RecentCalls,
  { viewFor, fleet }: Pick<Gateway, 'viewFor' | 'fleet'>,
  viewer: Viewer,
): Promise<JudgedCall[]> {
  const parsed = permissionSettings.safeParse(settings)
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {}
    throw new AggregatorError('bad_argument', `${path.join('.')}: ${message}.`, 'Correct the rule.')
  }
  // A pattern can be written to take very long.
  if (hasPatterns(parsed.data))
    throw new AggregatorError(
      'bad_argument',
      'Rules with "matches" are not tried on calls.',
      'Save the rule, and use explain.',
    )
  // Nothing but the rules decides.
  const permissions = createPermissions({ ...parsed.data, default: 'allow' }, fleet.servers)
  const view = viewFor(viewer)
  const judge = async ({ server, tool, args, caller, profile }: RecentCall) => {
    const listed = view.tool(server.name, tool)
    if (listed === undefined || permissions === undefined) return undefined
    const { name, upstreamName, definition } = listed
    const target = { kind: 'tool', names: [name, upstreamName], definition, args } as const
    const { setting } = await permissions.decide({ server, caller, profile, target })
    return setting !== defaultSetting
  }
  const judged: JudgedCall[] = []
  for (const call of recent.list()) {
    const { time, server, tool, caller } = call
    judged.push({ time, server: qualifiedName(server), tool, caller, isMet: await judge(call) })
    // Others are answered in between.
    await setImmediate()
  }
  return judged
}
