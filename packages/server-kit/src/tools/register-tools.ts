import {
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { amount, type ErrorTexts } from './reply-text.ts'
import type { Tool, ToolCall } from './tool.ts'

/** What the tools of a server have in common. */
export interface ToolOptions<Library, Call> {
  /**
   * Called for each call, so that tools/list answers before the library is loaded; or what the client
   * is asked first.
   */
  open: (context: ServerContext) => Promise<Library | InputRequiredResult>
  /** What a tool gets of a request: {@link toolCall}, and more. */
  callOf: (context: ServerContext) => Call
  /** Whether the tools reach beyond this machine. */
  isOpenWorld: boolean
  /** Cuts a reply that clients would reject. */
  limitReply: (text: string) => string
  /** Also return figures of a reply as `structuredContent`. Some clients then hide the text. */
  structuredContent?: boolean | undefined
  /** Mark entry tools, so that clients do not hide them. Default true. */
  alwaysLoad?: boolean | undefined
  /** Loaded at the first error, because tools/list does not need it. */
  loadErrorTexts: () => Promise<ErrorTexts>
  /** Called with failures that the caller did not cause. */
  onError?: ((error: unknown) => void) | undefined
}

/** Key of the figures in a reply's `_meta`; clients do not show them to models. */
export const metaKey = 'io.github.pith-mcp/answer'

/** Claude Code hides all other tools of MCP until it has searched for them. */
const alwaysLoadKey = 'anthropic/alwaysLoad'

/** Register tools that read and change nothing. */
export function registerTools<Library, Call>(
  server: McpServer,
  tools: readonly Tool<Library, Call>[],
  options: ToolOptions<Library, Call>,
): void {
  for (const tool of tools) {
    const { name, description, isEntry = false, schema: inputSchema, output } = tool
    // The world is open by default.
    const closed = !options.isOpenWorld && { openWorldHint: false }
    const annotations = { readOnlyHint: true, ...closed }
    const _meta = isEntry && options.alwaysLoad !== false ? { [alwaysLoadKey]: true } : undefined
    const outputSchema = output && { outputSchema: output }
    const definition = {
      description,
      inputSchema,
      ...outputSchema,
      annotations,
      ...(_meta && { _meta }),
    }
    server.registerTool(name, definition, answerBy(tool, options))
  }
}

function answerBy<Library, Call>(tool: Tool<Library, Call>, options: ToolOptions<Library, Call>) {
  const { open, callOf, limitReply, structuredContent, loadErrorTexts, onError } = options
  return async (args: Record<string, unknown>, context: ServerContext) => {
    try {
      const library = await open(context)
      if (isInputRequiredResult(library)) return library
      const reply = await tool.answer(args, library, callOf(context))
      const { data } = reply
      const text = limitReply(reply.text)
      return {
        content: [{ type: 'text' as const, text }],
        _meta: { [metaKey]: data },
        ...(structuredContent && { structuredContent: data }),
        ...(tool.output && { structuredContent: { ...data, content: text } }),
      }
    } catch (error) {
      const { errorText, isExpected } = await loadErrorTexts()
      if (!isExpected(error) && !context.mcpReq.signal.aborted) onError?.(error)
      const text = limitReply(errorText(error, args))
      return { content: [{ type: 'text' as const, text }], isError: true }
    } finally {
      await endProgress(context.mcpReq)
    }
  }
}

/** The request that a tool answers; its progress counts `page`s or another noun. */
export function toolCall({ mcpReq }: ServerContext, counted: string): ToolCall {
  const onProgress = progressOf(mcpReq, counted)
  return { signal: mcpReq.signal, ...(onProgress && { onProgress }) }
}

type Request = ServerContext['mcpReq']

/** Milliseconds between notifications: clients show them, and a call may make thousands. */
const intervalMs = 500

/** The progress that each running request has not sent. */
const unsent = new WeakMap<Request, () => Promise<void>>()

/** Reports the progress of a request, at most every half second; undefined if the client does not want it. */
function progressOf(request: Request, counted: string): ToolCall['onProgress'] {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return undefined
  let sentAt = Number.NEGATIVE_INFINITY
  return ({ done, total }) => {
    const message = total > 0 ? `${done} of ${total} ${counted}s` : amount(done, counted)
    const params = { progressToken, progress: done, message, ...(total > 0 && { total }) }
    const send = () => request.notify({ method: 'notifications/progress', params }).catch(() => {})
    if (performance.now() - sentAt < intervalMs) {
      unsent.set(request, send)
      return
    }
    sentAt = performance.now()
    unsent.delete(request)
    void send()
  }
}

/** Sends the last progress of a request, before its result. */
async function endProgress(request: Request): Promise<void> {
  await unsent.get(request)?.()
  unsent.delete(request)
}
