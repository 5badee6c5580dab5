import { fenced } from '#scan/server-text'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { validateArguments } from '#servers/protocol/json-schema'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { matchesAny, namesInRules } from '../../catalog/policy/patterns.ts'
import { blocksIn } from '../results/document.ts'
import { type Wanted, wantedIn } from '../results/select.ts'

/**
 * The result as the settings of its server want it; the same object without any.
 * @throws {AggregatorError} `bad_result`
 */
export function shapeResult(result: JsonObject, tool: CatalogTool): JsonObject {
  const { server, name, upstreamName } = tool
  const { schema, fence } = server.results ?? {}
  const fault = schema === undefined ? undefined : faultOf(result, tool.definition)
  if (fault !== undefined && schema === 'refuse')
    throw new AggregatorError(
      'bad_result',
      `The result of ${server.name}.${name} does not match its output schema: ${fault}.`,
      'The call was made, and may have had effects. Do not repeat it without a reason.',
    )
  const checked =
    fault === undefined
      ? result
      : withNote(result, `The result does not match the output schema of the tool: ${fault}.`)
  const stripped = withoutInvisible(checked, server)
  const isFenced = fence && namesInRules(server.name, [name, upstreamName])
  return isFenced?.some((each) => matchesAny(each, fence ?? [])) ? withFences(stripped) : stripped
}

/** What the settings of its server select from the results of a tool. @throws {AggregatorError} */
export async function selectOf(tool: CatalogTool): Promise<Wanted | undefined> {
  const { server, name, upstreamName } = tool
  const { select = {} } = server.results ?? {}
  const names = namesInRules(server.name, [name, upstreamName])
  const [pattern] = Object.keys(select).filter((key) =>
    names.some((each) => matchesAny(each, [key])),
  )
  if (pattern === undefined) return undefined
  return wantedIn(select[pattern]).catch(({ message, remedy }) => {
    const setting = `mcpServers.${server.name}.results.select.${pattern}`
    throw new AggregatorError('bad_config', `${setting}: ${message} Nothing was called.`, remedy)
  })
}

/** Results of failures, and those that are not complete, have no schema. */
function faultOf(
  { structuredContent, isError, resultType = 'complete' }: JsonObject,
  { outputSchema }: JsonObject,
): string | undefined {
  if (!isJsonObject(outputSchema) || isError === true || resultType !== 'complete') return undefined
  if (structuredContent === undefined) return 'it has no structuredContent'
  return validateArguments(structuredContent, outputSchema)?.replace(/^params\b/, 'it')
}

const withNote = (result: JsonObject, text: string): JsonObject => ({
  ...result,
  content: [...blocksIn(result), { type: 'text', text: `[${text}]` }],
})

/** Format and control characters, unassigned ones, and the selectors that only hide text. */
const invisible = /\p{C}|\p{Zl}|\p{Zp}|[\u{E0100}-\u{E01EF}]/gu

/** Removes invisible characters from all texts, if the settings of the server say so. */
export function withoutInvisible(
  result: JsonObject,
  { results }: Pick<CatalogTool['server'], 'results'>,
): JsonObject {
  if (results?.invisible !== 'strip') return result
  let count = 0
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(invisible, (sign) => {
        if ('\n\r\t'.includes(sign)) return sign
        count++
        return ''
      })
    if (Array.isArray(value)) return value.map(strip)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, strip(member)]))
  }
  const { _meta, ...members } = result
  const stripped = { ...(strip(members) as JsonObject), ...(_meta !== undefined && { _meta }) }
  if (count === 0) return result
  const text = `${count} invisible ${count === 1 ? 'character was' : 'characters were'} removed.`
  return 'content' in result ? withNote(stripped, text) : stripped
}

const withFences = (result: JsonObject): JsonObject => ({
  ...result,
  content: blocksIn(result).map((block) =>
    typeof block['text'] === 'string' ? { ...block, text: fenced(block['text']) } : block,
  ),
})
