import type { JournalLoss } from '@pith-mcp/aggregator'

/** The texts of a result of a tool. */
export function textOf(result: Record<string, unknown>): string {
  const content = Array.isArray(result['content']) ? result['content'] : []
  return content
    .map((block: { type?: unknown; text?: unknown }) =>
      typeof block.text === 'string' ? block.text : JSON.stringify(block),
    )
    .join('\n')
}

/** What is said of a journal that could not be written. */
export const lossText = ({ lines, said, time }: JournalLoss): string =>
  `${lines} ${lines === 1 ? 'line' : 'lines'} of the journal could not be written, the last at ${time}: ${said}`
