import { type FindPattern, hasPatterns, loadPatterns } from '../../config/permission-patterns.ts'
import type { PermissionRule, PermissionSettings } from '../../config/permission-settings.ts'
import type { ServerConfig } from '../../config/server-config.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { comparedUri, isNormalUri } from '../../protocol/normal-uri.ts'
import { hasHints, judgeParams, leadsOut } from './conditions.ts'
import { folded, matchesAny } from './patterns.ts'
import { namesTool } from './profile.ts'

/** What a client requests of a server, as it is sent there. */
export interface Requested {
  server: ServerConfig
  caller: string | undefined
  profile: string | undefined
  target: RequestedTool | { kind: 'resource'; uri: string } | { kind: 'prompt'; name: string }
}

export interface RequestedTool {
  kind: 'tool'
  /** All its names. */
  names: readonly string[]
  definition: JsonObject
  /** Not judged yet if it is undefined. */
  args: unknown
}

export type Effect = 'deny' | 'ask' | 'allow'

/** What happens to a request, and which setting says so. */
export interface Decision {
  effect: Effect
  /** Its path in the configuration. */
  setting: string
  reason?: string | undefined
  /** Somebody else than the caller must approve it. */
  needsAnother?: boolean
}

/** The permissions of a configuration, for its servers. */
export type Permissions = ReturnType<typeof createPermissions>

const lists = ['deny', 'ask', 'allow'] as const

/** Undefined without any: nothing is decided for a call then. */
export function createPermissions(
  settings: PermissionSettings | undefined,
  servers: readonly ServerConfig[],
) {
  const rulesIn = (list: Effect): readonly PermissionRule[] => settings?.[list] ?? []
  const isEmpty = lists.every((list) => rulesIn(list).length === 0)
  if (settings === undefined || (isEmpty && (settings.default ?? 'allow') === 'allow'))
    return undefined
  const needsPatterns = hasPatterns(settings)
  return {
    approvalMs: (settings.approvalMinutes ?? 60) * 60_000,
    /** The first list with a rule that applies decides: deny, ask, allow. */
    async decide(requested: Requested): Promise<Decision> {
      const find = needsPatterns ? await loadPatterns() : () => false
      for (const effect of lists) {
        const matching = [...rulesIn(effect).entries()].filter(([, rule]) =>
          applies(rule, effect === 'allow', { requested, servers, find }),
        )
        const [first] = matching
        if (first === undefined) continue
        const [index, { reason }] = first
        const needsAnother = matching.some(([, { approver }]) => approver === 'another')
        const setting = `aggregator.permissions.${effect}[${index}]`
        return { effect, setting, reason, ...(effect === 'ask' && { needsAnother }) }
      }
      return { effect: settings.default ?? 'allow', setting: 'aggregator.permissions.default' }
    },
  }
}

interface Judging {
  requested: Requested
  servers: readonly ServerConfig[]
  find: FindPattern
}

/** For denials and questions a wider match is the safe error, for permissions a narrower one. */
function applies(rule: PermissionRule, isAllowing: boolean, judging: Judging): boolean {
  const { server, caller, profile } = judging.requested
  const fold = isAllowing ? (text: string) => text : folded
  const isOne = (value: string | undefined, patterns: readonly string[] | undefined): boolean =>
    patterns === undefined || (value !== undefined && matchesAny(fold(value), patterns.map(fold)))
  return (
    isOne(server.name, rule.servers) &&
    isOne(server.account, rule.accounts) &&
    isOne(profile, rule.profiles) &&
    isOne(caller === undefined ? undefined : withoutId(caller), rule.callers) &&
    targets(rule, isAllowing, fold, judging)
  )
}

/** Names of tokens and users have an id, which nobody writes down. */
const withoutId = (caller: string): string => caller.replace(/#[^#]*$/, '')

function targets(
  { tools, resources, prompts, params, annotations }: PermissionRule,
  isAllowing: boolean,
  fold: (text: string) => string,
  { requested: { target, server }, servers, find }: Judging,
): boolean {
  const isOfTools = (tools ?? params ?? annotations) !== undefined
  if (!isOfTools && resources === undefined && prompts === undefined) return true
  switch (target.kind) {
    case 'tool': {
      if (!isOfTools) return false
      const { names, definition, args } = target
      if (tools && !tools.some((pattern) => namesTool(pattern, server, names, servers, fold)))
        return false
      if (annotations && !hasHints(definition, annotations)) return false
      if (params === undefined) return true
      return judgeParams(params, args, isAllowing, find) ?? !isAllowing
    }
    case 'resource':
      return resources !== undefined && matchesUri(target.uri, resources, isAllowing)
    case 'prompt':
      return prompts !== undefined && matchesAny(fold(target.name), prompts.map(fold))
  }
}

/** A server may read an odd spelling as any address, also what follows "?" as a part of a path. */
function matchesUri(uri: string, patterns: readonly string[], isAllowing: boolean): boolean {
  const isOdd = !isNormalUri(uri) || leadsOut.test(uri)
  if (isAllowing) return !isOdd && matchesAny(uri, patterns)
  const compared = patterns.map(comparedUri)
  return isOdd || matchesAny(comparedUri(uri), compared) || mayBecome(uri, compared)
}

/** True for a template of which some address may match. */
function mayBecome(template: string, patterns: readonly string[]): boolean {
  const end = template.indexOf('{')
  if (end < 0) return false
  const begin = comparedUri(template.slice(0, end))
  return patterns.some((pattern) => {
    const [literal = ''] = pattern.split('*')
    return begin.startsWith(literal) || literal.startsWith(begin)
  })
}
