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
const others = new Set(['turn_context', 'world_state', 'ghost_snapshot'])

/** Lines of Codex: items of responses, and events, of which `token_count` ends a response. */
export class CodexReader implements TranscriptReader {
  /** The response that is not counted yet. */
  #response: TranscriptEvent[] = []
  #hasInput = false
  /** The session that the next items are of: of a fork, first that which it continues. */
  #origin = ''
  #lastTotal = ''
  #lastInput = 0
  #nameless = 0
  #entries = 0
  /** Entries before the last message of a user, and before each prompt. */
  #beforeMessage = 0
  readonly #prompts: number[] = []
  /** The same of messages that look like prompts, for files without events about them. */
  readonly #messages: number[] = [];

  *#request(event: { key?: string; time: number; input?: number; output: number }) {
    yield { kind: 'request', ...event } as const
    yield* this.#response
    this.#response = []
    this.#hasInput = false
  }

  /** An item of the next response, if the last one was not counted. */
  *#output(event: TranscriptEvent, time: number): Iterable<TranscriptEvent> {
    if (this.#hasInput && this.#response.length > 0) yield* this.#request({ time, output: 0 })
    this.#response.push(event)
  }

  *#input(event: TranscriptEvent): Iterable<TranscriptEvent> {
    if (this.#response.length === 0) return yield event
    this.#hasInput = true
    this.#response.push(event)
  }

  *#message(payload: Members, time: number): Iterable<TranscriptEvent> {
    const tokens = tokensOf(payload['content'])
    if (payload['role'] === 'assistant')
      return yield* this.#output({ kind: 'text', of: 'output', tokens }, time)
    if (payload['role'] === 'user') {
      this.#beforeMessage = this.#entries + this.#response.filter(isEntry).length
      // What the client adds, such as its environment, is in elements, or in AGENTS.md.
      const { text = '' } = membersOf(listOf(payload['content'])[0])
      if (!/^(?:<|# AGENTS\.md)/.test(String(text))) this.#messages.push(this.#beforeMessage)
    }
    yield* this.#input({ kind: 'text', of: 'input', tokens })
  }

  *#item(payload: Members, time: number): Iterable<TranscriptEvent> {
    const type = textOf(payload['type']) ?? ''
    const id = textOf(payload['call_id']) ?? textOf(payload['id'])
    if (type === 'message') yield* this.#message(payload, time)
    else if (type === 'reasoning')
      yield* this.#output({ kind: 'text', of: 'output', tokens: 0 }, time)
    else if (type.endsWith('_call')) {
      const args = payload['arguments'] ?? payload['input'] ?? payload['action'] ?? payload['query']
      const call = {
        kind: 'call',
        id: id ?? `${this.#origin} ${++this.#nameless}`,
        time,
        tokens: tokensOf(args),
      } as const
      yield* this.#output({ ...call, called: nameOf(payload, type, args) }, time)
      if (type === 'tool_search_call') yield { kind: 'defers' }
    } else if (type.endsWith('_output') && id !== undefined) {
      const content = payload['output'] ?? payload['tools']
      yield* this.#input({ kind: 'result', id, time, tokens: tokensOf(content) })
    } else if (!others.has(type)) yield { kind: 'unknown', what: `item "${type}"` }
  }

  *#tokenCount(info: Members, time: number): Iterable<TranscriptEvent> {
    const total = membersOf(info['total_token_usage'])
    const key = ['input_tokens', 'cached_input_tokens', 'output_tokens']
      .map((name) => total[name])
      .join()
    const sum = countOf(total['input_tokens'])
    // Events about limits repeat the last count.
    if (sum === undefined || key === this.#lastTotal) return
    const last = membersOf(info['last_token_usage'])
    const counted = countOf(last['input_tokens']) ?? Math.max(0, sum - this.#lastInput)
    this.#lastTotal = key
    this.#lastInput = sum
    const name = `${this.#origin} ${key}`
    yield* this.#request({
      key: name,
      time,
      input: counted,
      output: countOf(last['output_tokens']) ?? 0,
    })
  }

  *#event(payload: Members, time: number): Iterable<TranscriptEvent> {
    const type = payload['type']
    if (type === 'token_count') yield* this.#tokenCount(membersOf(payload['info']), time)
    else if (type === 'mcp_tool_call_end') {
      const { server, tool, arguments: args } = membersOf(payload['invocation'])
      // It says which server a call went to, where its name does not.
      const id = String(payload['call_id'])
      const named = { kind: 'named', id, called: calledTool(textOf(server), String(tool), args) }
      if (this.#response.length > 0) this.#response.push(named as TranscriptEvent)
      else yield named as TranscriptEvent
    } else if (type === 'thread_rolled_back') {
      const turns = countOf(payload['num_turns']) ?? 0
      yield* this.#response
      this.#response = []
      const prompts = this.#prompts.length > 0 ? this.#prompts : this.#messages
      const [entries] = prompts.splice(Math.max(0, prompts.length - turns))
      if (entries !== undefined) yield { kind: 'rewound', entries }
      else yield { kind: 'unknown', what: 'rollback of prompts that are not there' }
    } else if (type === 'user_message') this.#prompts.push(this.#beforeMessage)
  }

  *read(record: Members): Iterable<TranscriptEvent> {
    for (const event of this.#events(record)) {
      if (isEntry(event)) this.#entries++
      if (event.kind === 'rewound') this.#entries = event.entries
      yield event
    }
  }

  *#events(record: Members): Iterable<TranscriptEvent> {
    const payload = membersOf(record['payload'])
    const type = textOf(record['type']) ?? ''
    const time = timeOf(record)
    if (type === 'session_meta') {
      const id = textOf(payload['id']) ?? textOf(payload['session_id']) ?? ''
      // The first one is its own; those of sessions that it continues follow.
      if (this.#origin === '' && id !== '') yield { kind: 'session', id }
      this.#origin = textOf(payload['forked_from_id']) ?? id
    } else if (type === 'response_item') yield* this.#item(payload, time)
    else if (type === 'event_msg') yield* this.#event(payload, time)
    else if (type === 'compacted') {
      yield { kind: 'compacted' }
      for (const kept of listOf(payload['replacement_history']))
        yield { kind: 'text', of: 'input', tokens: tokensOf(membersOf(kept)['content']) }
    } else if (!others.has(type)) yield { kind: 'unknown', what: `record "${type}"` }
  }

  *end(): Iterable<TranscriptEvent> {
    if (this.#response.length > 0) yield* this.#request({ time: Number.NaN, output: 0 })
  }
}

function nameOf(payload: Members, type: string, args: unknown) {
  const name = textOf(payload['name']) ?? type
  const namespace = textOf(payload['namespace'])
  const [server, tool] = namespace?.startsWith('mcp__')
    ? [namespace.slice('mcp__'.length).replace(/__$/, ''), name]
    : splitName(name, name.startsWith('mcp__') ? 'mcp__' : '')
  return calledTool(server, tool, parsed(args))
}

function parsed(args: unknown): unknown {
  try {
    return typeof args === 'string' ? JSON.parse(args) : args
  } catch {
    return undefined
  }
}
