import { blocksIn, documentOf } from '../../call/results/document.ts'
import type { Results } from '../../call/results/results.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Command } from './parse-commands.ts'
import type { Outcome } from './run-graph.ts'

/** Part of a reply for the lines that say how each command ended. */
const forStates = 0.25
const shortestState = 80
const longestState = 1_000

/** A line for each command, then the results that were asked for, within one reply. */
export async function renderBatch(
  commands: readonly Command[],
  outcomes: ReadonlyMap<string, Outcome<Fields>>,
  results: Results,
): Promise<Fields> {
  const { characters, tokens } = results.room
  const longest = Math.max(
    shortestState,
    Math.min(longestState, Math.floor((characters * forStates) / commands.length)),
  )
  const states = await Promise.all(
    commands.map(async ({ id }) => `${id}: ${await describe(outcomes.get(id), longest, results)}`),
  )
  const done = commands.flatMap(({ id, output }) => {
    const outcome = outcomes.get(id)
    return output && outcome?.state === 'done' ? [{ id, result: outcome.result }] : []
  })
  const share = (1 - forStates) / Math.max(1, done.length)
  const room = { characters: Math.floor(characters * share), tokens: Math.floor(tokens * share) }
  const outputs = await Promise.all(
    done.map(async ({ id, result }) => ({ id, fitted: await results.fit(result, room) })),
  )
  const texts = outputs.map(({ id, fitted }) => `--- ${id}\n${documentOf(fitted).text}`)
  const failed = [...outcomes.values()].filter(({ state }) => state !== 'done').length
  return {
    content: [
      { type: 'text', text: [...states, ...texts].join('\n') },
      ...outputs.flatMap(({ fitted }) => otherBlocksIn(fitted)),
    ],
    ...(failed === commands.length && { isError: true }),
  }
}

async function describe(
  outcome: Outcome<Fields> | undefined,
  longest: number,
  results: Results,
): Promise<string> {
  if (outcome === undefined) return 'not begun'
  if (outcome.state === 'done') return 'done'
  if (outcome.state === 'skipped') return `skipped, since ${outcome.because}`
  const { message, remedy, code, result } = outcome.error as Failure
  const number = typeof code === 'number' ? ` (${code})` : ''
  const text = `${message ?? String(outcome.error)}${remedy ? ` ${remedy}` : ''}`
  if (text.length <= longest) return `failed${number}: ${text}`
  // What the tool said is kept whole.
  const fitted = await results.fit(result ?? { content: [{ type: 'text', text }] }, {
    characters: longest,
    tokens: longest,
  })
  return `failed${number}: ${text.slice(0, longest / 2)}… ${documentOf(fitted).text}`
}

interface Failure {
  message?: string
  remedy?: string
  code?: unknown
  result?: Fields
}

/** What is not text, such as images. */
function otherBlocksIn(result: Fields): Fields[] {
  return blocksIn(result).filter((block) => {
    const { text } = (block['resource'] ?? {}) as Fields
    return block['text'] === undefined && text === undefined
  })
}
