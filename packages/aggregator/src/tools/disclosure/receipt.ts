import { estimateTokens } from '@pith-mcp/paginator'
import type { View } from '../../catalog/view.ts'
import { createDisclosure, type Mode, modes } from './disclosure.ts'

/** What lists of tools cost a model, as `tools/list` gives them. */
export interface Receipt {
  servers: number
  tools: number
  /** Estimated tokens of the list in each mode; `full` is what the servers cost directly. */
  listTokens: Record<Mode, number>
}

export async function receiptOf(view: View): Promise<Receipt> {
  const tokens = modes.map(async (mode) => {
    const shape = await createDisclosure(mode).shapeOf(view)
    return [mode, estimateTokens(JSON.stringify({ tools: shape.listTools() }))] as const
  })
  return {
    servers: view.servers.length,
    tools: view.tools.length,
    listTokens: Object.fromEntries(await Promise.all(tokens)) as Record<Mode, number>,
  }
}
