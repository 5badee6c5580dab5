import type { Journal, JournalLine } from '../../journal/src/journal.ts'
import type { JsonObject } from '../../servers/src/protocol/message.ts'
import type { Access } from '../../servers/src/protocol/request-context.ts'
import { createAggregator } from '../src/server/aggregator.ts'
import type { AggregatorOptions } from '../src/server/aggregator-options.ts'
import { createWorld, type FakeServer, textOf } from './fake-servers.ts'

/** An aggregator over servers of this process, and what it wrote down. */
export function openAggregator(fakes: Record<string, FakeServer>, options: AggregatorOptions) {
  const world = createWorld(fakes)
  const lines: JournalLine[] = []
  const logs: string[] = []
  const journal: Journal = { write: (line) => void lines.push(line), close() {} }
  const aggregator = createAggregator({
    connect: world.connect,
    journal,
    onLog: (text) => void logs.push(text),
    ...options,
  })
  async function use(tool: string, args: JsonObject, access?: Access): Promise<string> {
    const params = { name: tool, arguments: args }
    return textOf(await aggregator.request({ method: 'tools/call', params }, { access }))
  }
  return { aggregator, world, lines, logs, use }
}
