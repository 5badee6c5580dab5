import { documentOf } from '../results/document.ts'
import type { Results } from '../results/results.ts'
import type { Fields } from '../upstream/connection.ts'
import type { Command } from './parse-commands.ts'
import type { Outcome } from './run-graph.ts'

const longestError = 1_000

/** A line for each command, then the results that were asked for, within one reply. */
export function renderBatch(
  commands: readonly Command[],
  outcomes: ReadonlyMap<string, Outcome<Fields>>,
  results: Results,
): Fields {
  const wanted = commands.filter(({ id, output }) => output && outcomes.get(id)?.state === 'done')
  const states = commands.map(({ id }) => `${id}: ${describe(outcomes.get(id))}`)
  const share = Math.max(1, wanted.length)
  const outputs = wanted.map(({ id }) => {
    const outcome = outcomes.get(id)
    const result = outcome?.state === 'done' ? outcome.result : {}
    return { id, fitted: results.fit(result, share) }
  })
  const texts = outputs.map(({ id, fitted }) => `--- ${id}\n${documentOf(fitted).text}`)
  const blocks = outputs.flatMap(({ fitted }) => blocksIn(fitted))
  const failed = [...outcomes.values()].filter(({ state }) => state !== 'done').length
  return {
    content: [{ type: 'text', text: [...states, ...texts].join('\n') }, ...blocks],
    ...(failed === commands.length && { isError: true }),
  }
}

function describe(outcome: Outcome<Fields> | undefined): string {
  if (outcome === undefined) return 'not begun'
  if (outcome.state === 'done') return 'done'
  if (outcome.state === 'skipped') return `skipped, since ${outcome.because}`
  const { message, remedy, code } = outcome.error as {
    message?: string
    remedy?: string
    code?: unknown
  }
  const number = typeof code === 'number' ? ` (${code})` : ''
  const text = `${message ?? String(outcome.error)}${remedy ? ` ${remedy}` : ''}`
  return `failed${number}: ${text.slice(0, longestError)}`
}

/** What is not text, such as images. */
function blocksIn({ content }: Fields): Fields[] {
  return (Array.isArray(content) ? content : []).filter((block: Fields) => {
    const { text } = (block['resource'] ?? {}) as Fields
    return block['text'] === undefined && text === undefined
  })
}
