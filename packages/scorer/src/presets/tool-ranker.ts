import { createRanker } from '../rank/create-ranker.ts'
import type { IndexedRanker } from '../rank/ranker.ts'
import type { Tuning } from '../rank/tuning.ts'
import type { Field } from '../term-index/term-index.ts'

/** A tool of `tools/list`, and its server. */
export interface ToolText {
  name: string
  title?: string | undefined
  description?: string | undefined
  /** JSON Schema of the arguments. */
  inputSchema?: unknown
  server?: string | undefined
  serverDescription?: string | undefined
}

const toolTuning: Partial<Tuning> = {
  saturation: 1.5,
  queryCoverage: 0.4,
  titleCoverage: 0.6,
  adjacency: 0.6,
  synonym: 1,
  group: 0.4,
  part: 0.65,
  variety: 0.25,
}

/**
 * Rank tools by a request in natural language; a request for several things finds a tool for each.
 */
export function createToolRanker<T extends ToolText>(
  tools: readonly T[],
  tuning: Partial<Tuning> = {},
): IndexedRanker<T> {
  return createRanker(tools, {
    fields: toolFields,
    group: ({ server }) => textIn(server),
    asking: 'request',
    tuning: { ...toolTuning, ...tuning },
  })
}

const toolFields: readonly Field<ToolText>[] = [
  {
    name: 'name',
    text: ({ name, title }) => `${textIn(name)} ${textIn(title)}`,
    weight: 1.5,
    lengthPenalty: 0.3,
  },
  {
    name: 'description',
    text: ({ description }) => textIn(description),
    weight: 0.7,
    lengthPenalty: 0.65,
  },
  { name: 'summary', text: ({ description }) => summaryOf(textIn(description)), weight: 0.5 },
  { name: 'parameters', text: ({ inputSchema }) => namesIn(inputSchema), weight: 1.2 },
  {
    name: 'parameter descriptions',
    text: ({ inputSchema }) => descriptionsIn(inputSchema),
    weight: 0.7,
    lengthPenalty: 0.3,
  },
  { name: 'server', text: ({ server }) => textIn(server), weight: 3 },
  {
    name: 'server description',
    text: ({ serverDescription }) => textIn(serverDescription),
    weight: 0.3,
  },
]

/** The first sentence or paragraph states the purpose of a tool, the rest its usage. */
const summaryOf = (description: string): string =>
  /^[\s\S]{8,300}?(?:[.!?](?=\s)|\n\s*\n|$)/.exec(description.trim().slice(0, 400))?.[0] ?? ''

/** Tools are external data; anything but a string counts as empty. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const namesIn = (schema: unknown): string =>
  propertiesIn(schema)
    .map(([name]) => name)
    .join(' ')

const descriptionsIn = (schema: unknown): string =>
  propertiesIn(schema)
    .map(([, property]) => textIn((property as { description?: unknown } | null)?.description))
    .join(' ')

/** Schemas may be deeply nested or cyclic; deeper properties say little about the tool. */
const maxDepth = 4
const maxProperties = 300

/** The properties of an object schema, of the items of its arrays, and of nested objects. */
function propertiesIn(schema: unknown): [string, unknown][] {
  const entries: [string, unknown][] = []
  collect(schema, 0)
  return entries

  function collect(value: unknown, depth: number): void {
    if (depth > maxDepth || typeof value !== 'object' || value === null) return
    const { properties, items } = value as { properties?: unknown; items?: unknown }
    collect(items, depth + 1)
    if (typeof properties !== 'object' || properties === null) return
    for (const [name, property] of Object.entries(properties)) {
      if (entries.length >= maxProperties) return
      entries.push([name, property])
      collect(property, depth + 1)
    }
  }
}
