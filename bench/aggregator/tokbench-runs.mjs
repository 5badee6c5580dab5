// The public transcripts of tokbench: 14 confirmatory runs of one task in eight phases, native and with
// three token savers, by its harness; and one session of Claude Code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const json = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Its own totals, and its transcripts by phase. Undefined without a checkout. */
export function readTokbench(folder) {
  const summary = join(folder ?? '', 'analysis/data.json')
  if (!folder || !existsSync(summary)) return undefined
  return json(summary)
    .runs.filter(({ cls }) => cls === 'matrix')
    .map((run) => ({ ...run, sessions: transcriptsOf(join(folder, 'results', run.dir)) }))
}

/** Of a phase that was run twice, all count. */
const transcriptsOf = (run) =>
  readdirSync(join(run, 'transcripts'), { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, ...json(join(run, 'transcripts', name)) }))

const textOf = (content, type = 'text') =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap((block) => (block.type === type ? [block[type]] : [])).join('\n')

const callsIn = (content) => content.filter(({ type }) => type === 'toolCall')

/** As lines of Claude Code. */
export function linesOf({ name, prompt, messages, startedAt }) {
  const line = (type, at, message, rest) =>
    JSON.stringify({
      ...{
        type,
        sessionId: name,
        uuid: `${name} ${at}`,
        parentUuid: at > 0 ? `${name} ${at - 1}` : null,
      },
      ...{ timestamp: startedAt, message, ...rest },
    })
  const lines = messages.map((message, index) => {
    const { role, content, usage, toolCallId } = message
    if (role !== 'assistant') {
      const block = { type: 'tool_result', tool_use_id: toolCallId, content: textOf(content) }
      return line('user', index + 1, { role: 'user', content: [block] })
    }
    const blocks = content.flatMap(({ type, text, id, name: tool, arguments: input }) =>
      type === 'toolCall'
        ? [{ type: 'tool_use', id: `${name} ${id}`, name: tool, input }]
        : type === 'text'
          ? [{ type, text }]
          : [],
    )
    const counts = {
      ...{ input_tokens: usage.input, output_tokens: usage.output },
      ...{
        cache_read_input_tokens: usage.cacheRead,
        cache_creation_input_tokens: usage.cacheWrite,
      },
    }
    return line('assistant', index + 1, { id: `${name} ${index}`, content: blocks, usage: counts })
  })
  const renamed = lines.map((text) => {
    const record = JSON.parse(text)
    for (const block of record.message.content)
      if (block.type === 'tool_result') block.tool_use_id = `${name} ${block.tool_use_id}`
    return JSON.stringify(record)
  })
  return [line('user', 0, { role: 'user', content: prompt ?? '' }), ...renamed]
}

/** As messages of the Chat Completions API, whose calls name the server `tokbench`. */
export const messagesOf = ({ prompt, messages }) => [
  { role: 'user', content: prompt ?? '' },
  ...messages.map(({ role, content, toolCallId }) =>
    role === 'assistant'
      ? {
          role,
          content: textOf(content),
          tool_calls: callsIn(content).map(({ id, name, arguments: params }) => ({
            id,
            function: {
              name,
              arguments: JSON.stringify({ server_name: 'tokbench', tool_name: name, params }),
            },
          })),
        }
      : { role: 'tool', tool_call_id: toolCallId, content: textOf(content) },
  ),
]

export const toolsIn = ({ messages }) =>
  messages.flatMap(({ role, content }) =>
    role === 'assistant' ? callsIn(content).map(({ name }) => name) : [],
  )
