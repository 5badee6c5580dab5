import { LRUCache } from 'lru-cache'
import { type FindPattern, hasPatterns, loadPatterns } from '#servers/config/permission-patterns'
import type { PermissionRule, PermissionSettings } from '#servers/config/permission-settings'
import type { JsonObject } from '#servers/protocol/message'
import { comparedUri, isNormalUri } from '#servers/protocol/normal-uri'
import type { ServerAccount } from '#servers/protocol/server-account'
import { hasHints, hasOnly, judgeParams } from './conditions.ts'
import { folded, matchesAny } from './patterns.ts'
import { namesTool } from './profile.ts'
import { leadsOut } from './readings.ts'
import { stepsOf } from './value-paths.ts'

/** What a client requests of a server, as it is sent there. */
export interface Requested {
  server: ServerAccount
  caller: string | undefined
  profile: string | undefined
  target: RequestedTool | { kind: 'resource'; uri: string } | { kind: 'prompt'; name: string }
}

interface RequestedTool {
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
  /** Another person than the caller must approve it. */
  needsAnother?: boolean
}

/** The permissions of a configuration, for its servers. */
export type Permissions = ReturnType<typeof createPermissions>

const lists = ['deny', 'ask', 'allow'] as const
/** What decides where no rule does. */
export const defaultSetting = 'aggregator.permissions.default'

/** Undefined without any: nothing is decided for a call then. */
export function createPermissions(
  settings: PermissionSettings | undefined,
  servers: readonly { name: string }[],
) {
  const rulesIn = (list: Effect): readonly PermissionRule[] => settings?.[list] ?? []
  const isEmpty = lists.every((list) => rulesIn(list).length === 0)
  if (settings === undefined || (isEmpty && (settings.default ?? 'allow') === 'allow'))
    return undefined
  const needsPatterns = hasPatterns(settings)
  const rulesFor = createSelection(rulesIn, servers)
  return {
    approvalMs: (settings.approvalMinutes ?? 60) * 60_000,
    /** The first list with a rule that applies decides: deny, ask, allow. */
    async decide(requested: Requested): Promise<Decision> {
      const find = needsPatterns ? await loadPatterns() : () => false
      const selected = rulesFor(requested)
      for (const effect of lists) {
        const matching = selected[effect].filter(({ rule }) => {
          const fold = effect === 'allow' ? asWritten : folded
          return isFor(rule, requested, fold) && isMet(rule, requested, effect === 'allow', find)
        })
        const strictest = matching.find(({ rule }) => rule.approver === 'another') ?? matching[0]
        if (strictest === undefined) continue
        const { setting, rule } = strictest
        const needsAnother = rule.approver === 'another'
        return { effect, setting, reason: rule.reason, ...(effect === 'ask' && { needsAnother }) }
      }
      return { effect: settings.default ?? 'allow', setting: defaultSetting }
    },
    /** The rules that may decide about a tool, in the order in which they do. */
    rulesOn(requested: Requested): { effect: Effect; setting: string; isConditional: boolean }[] {
      const selected = rulesFor(requested)
      return lists.flatMap((effect) =>
        selected[effect]
          .filter(({ rule }) => isFor(rule, requested, effect === 'allow' ? asWritten : folded))
          .map(({ rule, setting }) => ({
            effect,
            setting,
            isConditional: (rule.params ?? rule.annotations) !== undefined,
          })),
      )
    },
  }
}

/** A rule with its path in the configuration. */
interface Selected {
  rule: PermissionRule
  setting: string
}

/** Tools whose rules are remembered. */
const maxTools = 10_000

/** The rules that may concern a request by what it is for; those of a tool are looked for once. */
function createSelection(
  rulesIn: (list: Effect) => readonly PermissionRule[],
  servers: readonly { name: string }[],
) {
  const ofTools = new LRUCache<string, Record<Effect, Selected[]>>({ max: maxTools })
  const select = ({ server, target }: Requested) =>
    Object.fromEntries(
      lists.map((list) => {
        const fold = list === 'allow' ? asWritten : folded
        const all = rulesIn(list).map((rule, index) => ({
          rule,
          setting: `aggregator.permissions.${list}[${index}]`,
        }))
        const selected = all.filter(
          ({ rule }) =>
            isOne(server.name, rule.servers, fold) &&
            isOne(server.account, rule.accounts, fold) &&
            targets(rule, target, list === 'allow', { server, servers, fold }),
        )
        return [list, selected]
      }),
    ) as Record<Effect, Selected[]>
  return (requested: Requested): Record<Effect, Selected[]> => {
    const { server, target } = requested
    if (target.kind !== 'tool') return select(requested)
    const key = JSON.stringify([server.name, server.account, ...target.names])
    const selected = ofTools.get(key) ?? select(requested)
    ofTools.set(key, selected)
    return selected
  }
}

/** For denials and questions a wider match is the safe error, for permissions a narrower one. */
type Fold = (text: string) => string

const asWritten: Fold = (text) => text

const isOne = (
  value: string | undefined,
  patterns: readonly string[] | undefined,
  fold: Fold,
): boolean =>
  patterns === undefined || (value !== undefined && matchesAny(fold(value), patterns.map(fold)))

interface Targeting {
  server: ServerAccount
  servers: readonly { name: string }[]
  fold: Fold
}

/** A rule without targets and conditions is for all requests; one with some, for those only. */
function targets(
  { tools, resources, prompts, params, annotations }: PermissionRule,
  target: Requested['target'],
  isAllowing: boolean,
  { server, servers, fold }: Targeting,
): boolean {
  const isOfTools = (tools ?? params ?? annotations) !== undefined
  if (!isOfTools && resources === undefined && prompts === undefined) return true
  switch (target.kind) {
    case 'tool': {
      const isNamed = (pattern: string): boolean =>
        namesTool(pattern, server, target.names, servers, fold)
      return isOfTools && (tools?.some(isNamed) ?? true)
    }
    case 'resource':
      return resources !== undefined && matchesUri(target.uri, resources, isAllowing)
    case 'prompt':
      return prompts !== undefined && matchesAny(fold(target.name), prompts.map(fold))
  }
}

const isFor = (
  { profiles, callers }: PermissionRule,
  { caller, profile }: Requested,
  fold: Fold,
): boolean =>
  isOne(profile, profiles, fold) &&
  isOne(caller === undefined ? undefined : withoutId(caller), callers, fold)

/** Names of tokens and users have an id, which no configuration has. */
const withoutId = (caller: string): string => caller.replace(/#[^#]*$/, '')

function isMet(
  { params, annotations, only }: PermissionRule,
  { target }: Requested,
  isAllowing: boolean,
  find: FindPattern,
): boolean {
  if (target.kind !== 'tool') return true
  if (annotations && !hasHints(target.definition, annotations)) return false
  if (params === undefined) return true
  if (only && !hasOnly(target.args, Object.keys(params).map(stepsOf))) return false
  const schema = target.definition['inputSchema']
  return judgeParams(params, target.args, { isAllowing, find, schema }) ?? !isAllowing
}

/** A server may read an odd spelling as any address, also what follows "?" as a part of a path. */
function matchesUri(uri: string, patterns: readonly string[], isAllowing: boolean): boolean {
  const isOdd = !isNormalUri(uri) || leadsOut(uri)
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
