import { estimateTokens } from '@pith-mcp/paginator'
import { type Mode, modes } from '#servers/protocol/request-context'
import { costOfTools } from '../../call/journal/cost-of-tools.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { ListModes } from './list-modes.ts'

/** Token costs of `tools/list`. */
export interface Receipt {
  /** Servers with tools that clients can call. */
  servers: number
  tools: number
  /**
   * Estimated tokens of the list in each mode; `full` is the cost of the servers without the
   * aggregator.
   */
  listTokens: Record<Mode, number>
}

/** `listModes`: one of each mode. */
export function receiptOf(view: ToolView, listModes: Readonly<Record<Mode, ListModes>>): Receipt {
  const tokens = modes.map((mode) => {
    if (mode === 'full') return [mode, costOfTools(view.tools)] as const
    const shape = listModes[mode].listModeOf(view)
    return [mode, estimateTokens(JSON.stringify({ tools: shape.listTools() }))] as const
  })
  return {
    servers: new Set(view.tools.map(({ server }) => server.name)).size,
    tools: view.tools.length,
    listTokens: Object.fromEntries(tokens) as Record<Mode, number>,
  }
}
