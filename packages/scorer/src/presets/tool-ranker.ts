import { createRanker, type IndexedRanker } from '../rank/create-ranker.ts'
import type { Tuning } from '../rank/tuning.ts'

/** A tool as `tools/list` gives it, and where it comes from. */
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
  saturation: 2,
  queryCoverage: 0.3,
  titleCoverage: 0.5,
  adjacency: 0.2,
  synonym: 0.6,
  group: 0.1,
  part: 0.4,
}

/** Rank tools against a request in plain words; one for several things finds a tool for each. */
export function createToolRanker<T extends ToolText>(
  tools: readonly T[],
  tuning: Partial<Tuning> = {},
): IndexedRanker<T> {
  return createRanker(tools, {
    fields: [
      { name: 'name', text: ({ name, title }) => `${textIn(name)} ${textIn(title)}`, weight: 2 },
      {
        name: 'description',
        text: ({ description }) => textIn(description),
        weight: 1,
        lengthPenalty: 0.65,
      },
      { name: 'parameters', text: ({ inputSchema }) => namesIn(inputSchema), weight: 1.2 },
      {
        name: 'parameter descriptions',
        text: ({ inputSchema }) => descriptionsIn(inputSchema),
        weight: 0.7,
      },
      { name: 'server', text: ({ server }) => textIn(server), weight: 1.5 },
      {
        name: 'server description',
        text: ({ serverDescription }) => textIn(serverDescription),
        weight: 0.3,
      },
    ],
    group: ({ server }) => textIn(server),
    quotes: 'data',
    tuning: { ...toolTuning, ...tuning },
  })
}

/** Tools come from anywhere; what is no text is none. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const namesIn = (schema: unknown): string =>
  propertiesIn(schema)
    .map(([name]) => name)
    .join(' ')

const descriptionsIn = (schema: unknown): string =>
  propertiesIn(schema)
    .map(([, property]) => textIn((property as { description?: unknown } | null)?.description))
    .join(' ')

/** Schemas nest, and may hold themselves; what is deeper or later says little about the tool. */
const deepest = 4
const mostProperties = 300

/** The properties of an object schema, of what its arrays hold, and of both in turn. */
function propertiesIn(schema: unknown): [string, unknown][] {
  const found: [string, unknown][] = []
  collect(schema, 0)
  return found

  function collect(value: unknown, depth: number): void {
    if (depth > deepest || typeof value !== 'object' || value === null) return
    const { properties, items } = value as { properties?: unknown; items?: unknown }
    collect(items, depth + 1)
    if (typeof properties !== 'object' || properties === null) return
    for (const [name, property] of Object.entries(properties)) {
      if (found.length >= mostProperties) return
      found.push([name, property])
      collect(property, depth + 1)
    }
  }
}
