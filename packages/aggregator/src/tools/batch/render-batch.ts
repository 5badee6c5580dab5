import { estimateTokens } from '@pith-mcp/paginator'
import { serverError } from '#scan/server-text'
import type { JsonObject } from '#servers/protocol/message'
import { RpcError } from '#servers/protocol/message'
import { blocksIn, documentOf } from '../../call/results/document.ts'
import { leanLength } from '../../call/results/other-parts.ts'
import type { Results } from '../../call/results/results.ts'
import type { Planned } from './parse-commands.ts'
import type { Outcome } from './run-graph.ts'

/** Share of the reply for the lines with the outcome of each command. */
const forStates = 0.25
const minStateLength = 80
const maxStateLength = 1_000

/** Characters of the line above a result, next to its id. */
const forHeading = 8

/** What each result gets of `total`: what it needs, and the long ones the rest in equal parts. */
function sharesOf(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0)
  let rest = total
  const ascending = [...sizes.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0))
  for (const [done, at] of ascending.entries()) {
    const share = Math.min(sizes[at] ?? 0, Math.floor(rest / (sizes.length - done)))
    shares[at] = share
    rest -= share
  }
  return shares
}

/** A line for each command, then the requested results, within one reply. */
export async function renderBatch(
  commands: readonly Planned[],
  outcomes: ReadonlyMap<string, Outcome<JsonObject>>,
  results: Results,
): Promise<JsonObject> {
  const { characters, tokens } = results.budget
  const maxLength = Math.max(
    minStateLength,
    Math.min(maxStateLength, Math.floor((characters * forStates) / commands.length)),
  )
  const states = await Promise.all(
    commands.map(
      async ({ id }) => `${id}: ${await describe(outcomes.get(id), maxLength, results)}`,
    ),
  )
  const done = commands.flatMap(({ id, output, params, select }) => {
    const outcome = outcomes.get(id)
    return output && outcome?.state === 'done'
      ? [{ id, params, select, result: outcome.result }]
      : []
  })
  const sizes = done.map(({ id, result }) => leanLength(result) + id.length + forHeading)
  const characterShares = sharesOf(sizes, characters - states.join('\n').length)
  // A character has a token at most.
  const tokenShares = sharesOf(sizes, tokens - estimateTokens(states.join('\n')))
  const outputs = await Promise.all(
    done.map(async ({ id, result, params, select }, at) => {
      const room = { characters: characterShares[at] ?? 0, tokens: tokenShares[at] ?? 0 }
      return { id, fitted: await results.reply(result, { params, select, room }) }
    }),
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
  outcome: Outcome<JsonObject> | undefined,
  maxLength: number,
  results: Results,
): Promise<string> {
  if (outcome === undefined) return 'not started'
  if (outcome.state === 'done') return 'done'
  if (outcome.state === 'skipped') return `skipped because ${outcome.because}`
  const { message, remedy, code, result } = outcome.error as Failure
  const number = typeof code === 'number' ? ` (${code})` : ''
  const ownText = message ?? String(outcome.error)
  // A number is the code of the server's own error.
  const reason = number === '' || outcome.error instanceof RpcError ? ownText : serverError(ownText)
  const text = `${reason}${remedy ? ` ${remedy}` : ''}`
  if (text.length <= maxLength) return `failed${number}: ${text}`
  // The full text is stored, so that the rest can be read.
  const fitted = await results.fit(result ?? { content: [{ type: 'text', text }] }, {
    characters: maxLength,
    tokens: maxLength,
  })
  return `failed${number}: ${text.slice(0, maxLength / 2)}… ${documentOf(fitted).text}`
}

interface Failure {
  message?: string
  remedy?: string
  code?: unknown
  result?: JsonObject
}

/** Blocks that are not text, such as images. */
function otherBlocksIn(result: JsonObject): JsonObject[] {
  return blocksIn(result).filter((block) => {
    const { text } = (block['resource'] ?? {}) as JsonObject
    return block['text'] === undefined && text === undefined
  })
}
