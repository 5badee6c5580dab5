import { estimateTokens } from '@pith-mcp/paginator'
import type { View } from '../catalog/view.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { createDisclosure, type Mode, modes } from './disclosure.ts'

/** What lists of tools cost a model, as `tools/list` gives them. */
export interface Receipt {
  servers: number
  tools: number
  /** Estimated tokens of the list in each mode; `full` is what the servers cost directly. */
  listTokens: Record<Mode, number>
}

export function receiptOf(view: View, servers: readonly ServerConfig[]): Receipt {
  const tokens = modes.map((mode) => {
    const tools = createDisclosure(mode, servers).listTools(view)
    return [mode, estimateTokens(JSON.stringify({ tools }))] as const
  })
  return {
    servers: servers.length,
    tools: view.tools.length,
    listTokens: Object.fromEntries(tokens) as Record<Mode, number>,
  }
}
