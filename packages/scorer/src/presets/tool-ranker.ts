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
      { name: 'name', text: ({ name, title = '' }) => `${name} ${title}`, weight: 2 },
      {
        name: 'description',
        text: ({ description = '' }) => description,
        weight: 1,
        lengthPenalty: 0.65,
      },
      { name: 'parameters', text: ({ inputSchema }) => namesIn(inputSchema), weight: 1.2 },
      {
        name: 'parameter descriptions',
        text: ({ inputSchema }) => descriptionsIn(inputSchema),
        weight: 0.7,
      },
      { name: 'server', text: ({ server = '' }) => server, weight: 1.5 },
      {
        name: 'server description',
        text: ({ serverDescription = '' }) => serverDescription,
        weight: 0.3,
      },
    ],
    group: ({ server = '' }) => server,
    quotes: 'data',
    tuning: { ...toolTuning, ...tuning },
  })
}

/** Schemas nest; what is deeper says little about the tool. */
const deepest = 4

function namesIn(schema: unknown, depth = 0): string {
  return propertiesOf(schema, depth)
    .map(([name, property]) => `${name} ${namesIn(property, depth + 1)}`)
    .join(' ')
}

function descriptionsIn(schema: unknown, depth = 0): string {
  return propertiesOf(schema, depth)
    .map(([, property]) => {
      const { description } = (property ?? {}) as { description?: unknown }
      const own = typeof description === 'string' ? description : ''
      return `${own} ${descriptionsIn(property, depth + 1)}`
    })
    .join(' ')
}

function propertiesOf(schema: unknown, depth: number): [string, unknown][] {
  if (depth > deepest || typeof schema !== 'object' || schema === null) return []
  const { properties, items } = schema as { properties?: unknown; items?: unknown }
  const own =
    typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  return own.length > 0 ? own : propertiesOf(items, depth + 1)
}
