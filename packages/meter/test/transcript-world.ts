import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ReadOptions, readTranscripts, type SessionCost } from '../src/index.ts'

/** A home folder of text files, by their paths; the later ones are newer. */
export async function meterOf(files: Record<string, string>, options: Partial<ReadOptions> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pith-meter-'))
  try {
    for (const [at, [name, text]] of Object.entries(files).entries()) {
      const path = join(home, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      utimesSync(path, 1.7e9 + at, 1.7e9 + at)
    }
    const { ledger, places } = await readTranscripts({ variables: {}, home, ...options })
    const sessions = [...ledger.sessions.values()]
    return {
      places,
      notes: Object.fromEntries(ledger.notes),
      tools: [...ledger.tools.values()],
      sessions,
      total: sessions.reduce((sum, { input }) => sum + input, 0),
      parts: sessions.reduce((sum, session) => sum + partsOf(session), 0),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const partsOf = ({ results, ownResults, text, preamble, rest }: SessionCost): number =>
  results + ownResults + text + preamble + rest

const time = (second: number): string => new Date(1.7e12 + second * 1_000).toISOString()

const jsonLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Lines of Claude Code, each continuing the one before it. */
export function claudeCode(sessionId = 'session') {
  const records: object[] = []
  let last: string | null = null
  const add = (type: string, message: object | undefined, more: object = {}): string => {
    const uuid = `${sessionId}-${records.length}`
    const timestamp = time(records.length)
    records.push({ type, uuid, parentUuid: last, sessionId, timestamp, message, ...more })
    last = uuid
    return uuid
  }
  return {
    prompt: (content: string, more?: object) => add('user', { role: 'user', content }, more),
    /** A response; each of its blocks is a line, with the usage of all. */
    answer(id: string, input: number, blocks: readonly object[], more?: object) {
      const usage = { input_tokens: 2, cache_read_input_tokens: input - 2, output_tokens: 20 }
      for (const block of blocks)
        add(
          'assistant',
          { id, model: 'model', content: [block], usage },
          { requestId: id, ...more },
        )
      return last
    },
    call: (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input }),
    result: (id: string, content: unknown, more?: object) =>
      add('user', { content: [{ type: 'tool_result', tool_use_id: id, content }] }, more),
    other: (record: object) => add('', undefined, record),
    text: () => jsonLines(records),
  }
}

export const codex = (records: readonly [type: string, payload: object][]): string =>
  jsonLines(records.map(([type, payload], at) => ({ timestamp: time(at), type, payload })))

export const tokenCount = (total: number, last?: number): [string, object] => [
  'event_msg',
  {
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: total / 10 },
      ...(last !== undefined && { last_token_usage: { input_tokens: last, output_tokens: 20 } }),
    },
  },
]

/** About a number of tokens. */
export const textOf = (tokens: number): string => 'word '.repeat(tokens)
