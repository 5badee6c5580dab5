import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { CallOptions, Docs } from '@pith-mcp/docs'
import { instructions } from './instructions.ts'
import { replyCeiling } from './reply-cap.ts'
import { allTools } from './tools/all-tools.ts'
import type { Tool } from './tools/tool.ts'
import { version } from './version.ts'

export interface ServerDeps {
  /** Opened at the first call, so that a client sees the tools at once. */
  openDocs: () => Promise<Docs>
  /** Told of failures that are not the caller's. */
  onError?: (error: unknown) => void
}

/** The MCP server, without a transport. */
export function createServer({ openDocs, onError = () => {} }: ServerDeps): McpServer {
  const server = new McpServer(
    { name: 'docs-mcp', version },
    {
      instructions,
      // The list is the same for everyone and does not change while the server runs.
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
    },
  )
  for (const tool of allTools) register(server, tool, openDocs, onError)
  return server
}

function register(
  server: McpServer,
  tool: Tool,
  openDocs: () => Promise<Docs>,
  onError: (error: unknown) => void,
): void {
  server.registerTool(
    tool.name,
    {
      description: tool.description,
      inputSchema: tool.input,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async (args: Record<string, unknown>, context: ServerContext) => {
      try {
        const text = await tool.answer(args, await openDocs(), callOptions(context))
        return { content: [{ type: 'text', text: withinCeiling(text) }] }
      } catch (error) {
        // Loaded only now: a server that lists its tools has no need of the library yet.
        const [{ DocsError }, { errorText }] = await Promise.all([
          import('@pith-mcp/docs'),
          import('./tool-error.ts'),
        ])
        const isCancelled = context.mcpReq.signal.aborted
        if (!(error instanceof DocsError) && !isCancelled) onError(error)
        return { content: [{ type: 'text', text: errorText(error, args) }], isError: true }
      }
    },
  )
}

/** No reply may be refused for its length; none gets here that long but by a defect. */
function withinCeiling(text: string): string {
  if (text.length <= replyCeiling) return text
  return `${text.slice(0, replyCeiling - 100)}\n[cut: the reply was ${text.length} characters long]`
}

function callOptions({ mcpReq }: ServerContext): CallOptions {
  const { signal, _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return { signal }
  return {
    signal,
    onProgress({ done, total }) {
      const params = { progressToken, progress: done, total, message: `${done} of ${total} pages` }
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}
