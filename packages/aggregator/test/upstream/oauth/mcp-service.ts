import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

export interface McpService {
  fetch(request: Request, parsedBody: unknown, authInfo: AuthInfo | undefined): Promise<Response>
  close(): Promise<void>
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

function createServer(name: string): McpServer {
  const server = new McpServer({ name, version: '1.0.0' })
  server.registerTool(
    'whoami',
    { description: 'Whom the token stands for.', inputSchema: z.object({}) },
    async (_args, { http }) => text(JSON.stringify(http?.authInfo?.extra ?? { user: null })),
  )
  const said = z.object({ text: z.string() })
  const echo = async (args: z.infer<typeof said>) => text(args.text)
  server.registerTool('echo', { description: 'Says it again.', inputSchema: said }, echo)
  server.registerTool('publish', { description: 'Needs a scope.', inputSchema: said }, echo)
  return server
}

/** MCP with sessions for clients of 2025 and without for those of 2026. */
export function createMcpService(name: string, eras: readonly string[]): McpService {
  const modern = createMcpHandler(() => createServer(name), { legacy: 'reject' })
  const sessions = new Map<string, SessionTransport>()

  async function sessionOf(id: string | null): Promise<SessionTransport | undefined> {
    if (id !== null) return sessions.get(id)
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (opened) => void sessions.set(opened, transport),
      onsessionclosed: (closed) => void sessions.delete(closed),
    })
    await createServer(name).connect(transport)
    return transport
  }

  return {
    async fetch(request, parsedBody, authInfo) {
      const options = {
        ...(parsedBody !== undefined && { parsedBody }),
        ...(authInfo && { authInfo }),
      }
      const isLegacy = !eras.includes('modern') || (await isLegacyRequest(request, parsedBody))
      if (!isLegacy || !eras.includes('legacy')) return modern.fetch(request, options)
      const session = await sessionOf(request.headers.get('mcp-session-id'))
      return session?.handleRequest(request, options) ?? new Response(null, { status: 404 })
    },
    async close() {
      await modern.close()
      for (const session of sessions.values()) await session.close()
    },
  }
}
