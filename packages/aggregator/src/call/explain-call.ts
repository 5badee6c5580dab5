import type { RequestContext } from '#servers/protocol/request-context'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Decision } from '../catalog/policy/permissions.ts'
import { type CallDeps, prepareCall, type RequestedCall } from './pipeline.ts'
import { decideToolCall } from './stages/decide.ts'

/** What would happen to a call. */
export interface Explanation {
  tool: CatalogTool
  /** As they would be sent. */
  args: unknown
  /** What would be mended. */
  repairs: readonly string[]
  decision: Decision
}

/**
 * Finds the tool, checks the arguments and decides, as for a call; calls nothing.
 * @throws {AggregatorError} as the call would
 */
export async function explainCall(
  requested: RequestedCall,
  context: RequestContext,
  deps: Pick<CallDeps, 'gateway'>,
): Promise<Explanation> {
  const view = deps.gateway.viewFor(context)
  const { tool, params, repairs } = await prepareCall(requested, { context, view }, deps.gateway)
  const args = params['arguments']
  const decision = await decideToolCall(tool, args, context, deps)
  return {
    tool,
    args,
    repairs,
    decision: decision ?? {
      effect: 'allow',
      setting: 'aggregator.permissions, of which none are set',
    },
  }
}
