import { estimateTokens } from '@pith-mcp/paginator'
import type { ToolView } from '../../catalog/tool-view.ts'

const costs = new WeakMap<object, number>()

/** Tokens of a definition as JSON, estimated once. */
function costOf(definition: object): number {
  const cost = costs.get(definition) ?? estimateTokens(JSON.stringify(definition))
  costs.set(definition, cost)
  return cost
}

/** What the definitions of tools cost a client without the aggregator. */
export const costOfTools = (tools: ToolView['tools']): number =>
  tools.reduce((sum, { definition }) => sum + costOf(definition), 0)
