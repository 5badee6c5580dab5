import {
  calledTool,
  countOf,
  listOf,
  type Members,
  membersOf,
  splitName,
  textOf,
  timeOf,
  tokensOf,
} from '../members.ts'
import { isEntry, type TranscriptEvent, type TranscriptReader } from '../transcript.ts'

/** Records that add nothing to the context, or repeat what others have. */
const others = new Set([
  'agent-color',
  'agent-name',
  'ai-title',
  'continued-in',
  'custom-title',
  'file-history-delta',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'result',
  'started',
  'summary',
  'tag',
  'worktree-state',
])

/** Lines whose places in their conversations are remembered: prompts continue from late ones. */
const maxRemembered = 100_000

interface Extent {
  requests: number
  /** Calls, results and texts. */
  entries: number
}

/** Lines of Claude Code: records of a conversation, each with the one that it continues. */
export class ClaudeCodeReader implements TranscriptReader {
  /** Of lines: their context, with its requests and entries until then. */
  readonly #places = new Map<string, { context: string } & Extent>()
  readonly #extents = new Map<string, Extent>()
  readonly #lastKeys = new Map<string, string>()

  #contextOf(record: Members): string {
    const parent = this.#places.get(String(record['parentUuid']))
    if (parent) return parent.context
    const agent = textOf(record['agentId'])
    if (record['isSidechain'] !== true) return ''
    return agent ?? String(record['uuid'])
  }

  *#assistant(record: Members, context: string): Iterable<TranscriptEvent> {
    const message = membersOf(record['message'])
    const usage = membersOf(message['usage'])
    const time = timeOf(record)
    const id = textOf(message['id']) ?? textOf(record['requestId'])
    const key = id === undefined ? `line ${record['uuid']}` : `${id} ${record['requestId']}`
    const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map(
      (name) => countOf(usage[name]),
    )
    const isCounted = counts[0] !== undefined && counts.some((count) => count)
    // The client itself writes errors in this form; nothing was sent.
    if (message['model'] !== '<synthetic>') {
      if (this.#lastKeys.get(context) !== key) this.#extentOf(context).requests++
      this.#lastKeys.set(context, key)
      yield {
        kind: 'request',
        context,
        key,
        time,
        ...(isCounted && { input: counts.reduce<number>((sum, count = 0) => sum + count, 0) }),
        output: countOf(usage['output_tokens']) ?? 0,
      }
    }
    for (const block of listOf(message['content']).map(membersOf)) {
      const id = textOf(block['id'])
      if (id !== undefined && typeof block['name'] === 'string') {
        const [server, tool] = splitName(block['name'], 'mcp__')
        const called = calledTool(server, tool, block['input'])
        yield { kind: 'call', context, id, time, called, tokens: tokensOf(block['input']) }
      } else yield { kind: 'text', context, of: 'output', tokens: tokensOf(block['text']) }
    }
  }

  *#user(record: Members, context: string): Iterable<TranscriptEvent> {
    const { content } = membersOf(record['message'])
    const blocks = Array.isArray(content) ? content.map(membersOf) : [{ text: content }]
    const isPrompt = blocks.every((block) => block['tool_use_id'] === undefined)
    const extent = this.#extentOf(context)
    const parent = this.#places.get(String(record['parentUuid']))
    // A prompt without a parent begins the conversation again.
    const origin = record['parentUuid'] === null ? { requests: 0, entries: 0 } : parent
    if (isPrompt && origin && origin.requests < extent.requests) {
      const { requests, entries } = origin
      Object.assign(extent, { requests, entries })
      this.#lastKeys.delete(context)
      yield { kind: 'rewound', context, entries }
    } else if (isPrompt && !origin && extent.requests > 0)
      yield { kind: 'unknown', what: 'prompt that continues from a line that is not there' }
    for (const block of blocks) {
      const id = textOf(block['tool_use_id'])
      const tokens = tokensOf(id === undefined ? block : block['content'])
      if (id === undefined) yield { kind: 'text', context, of: 'input', tokens }
      else yield { kind: 'result', context, id, time: timeOf(record), tokens }
    }
  }

  *#attachment(record: Members, context: string): Iterable<TranscriptEvent> {
    const { type, addedNames, addedBlocks } = membersOf(record['attachment'])
    if (type === 'deferred_tools_delta') yield { kind: 'defers', context }
    if (type !== 'mcp_instructions_delta') return
    const blocks = listOf(addedBlocks)
    for (const [at, name] of listOf(addedNames).entries())
      yield { kind: 'instructions', context, server: String(name), tokens: tokensOf(blocks[at]) }
  }

  *#events(record: Members, context: string): Iterable<TranscriptEvent> {
    const type = textOf(record['type']) ?? ''
    if (type === 'assistant') yield* this.#assistant(record, context)
    else if (type === 'user') yield* this.#user(record, context)
    else if (type === 'attachment') yield* this.#attachment(record, context)
    else if (type === 'system') {
      const { compactedToolIds } = membersOf(record['microcompactMetadata'])
      if (record['subtype'] === 'compact_boundary') {
        Object.assign(this.#extentOf(context), { requests: 0 })
        yield { kind: 'compacted', context }
      } else if (Array.isArray(compactedToolIds))
        yield { kind: 'cleared', context, calls: compactedToolIds.map(String) }
    } else if (!others.has(type)) yield { kind: 'unknown', what: `record "${type}"` }
  }

  *read(record: Members): Iterable<TranscriptEvent> {
    const session = textOf(record['sessionId'])
    if (session !== undefined) yield { kind: 'session', id: session }
    const context = this.#contextOf(record)
    const extent = this.#extentOf(context)
    for (const event of this.#events(record, context)) {
      if (isEntry(event)) extent.entries++
      yield event
    }
    const uuid = textOf(record['uuid'])
    if (uuid === undefined) return
    this.#places.set(uuid, { context, ...extent })
    if (this.#places.size > maxRemembered)
      this.#places.delete(this.#places.keys().next().value ?? '')
  }

  #extentOf(context: string): Extent {
    const extent = this.#extents.get(context) ?? { requests: 0, entries: 0 }
    this.#extents.set(context, extent)
    return extent
  }

  end = (): [] => []
}
