import { createRanker, type IndexedRanker } from '../rank/create-ranker.ts'
import type { Tuning } from '../rank/tuning.ts'
import type { Field } from '../term-index/term-index.ts'
import { gluedWords } from './glued-words.ts'

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
  saturation: 1.5,
  queryCoverage: 0.4,
  titleCoverage: 0.6,
  adjacency: 0.6,
  synonym: 1,
  group: 0.4,
  sibling: 0.25,
  part: 0.65,
  variety: 0.25,
}

/** Rank tools against a request in plain words; one for several things finds a tool for each. */
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

const titleOf = ({ name, title, description }: ToolText): string =>
  [textIn(name), textIn(title), gluedWords(textIn(name), textIn(description))].join(' ')

const toolFields: readonly Field<ToolText>[] = [
  { name: 'name', text: titleOf, weight: 1.5, lengthPenalty: 0.3 },
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

/** The first sentence or paragraph says what a tool is for, what follows how it is used. */
const summaryOf = (description: string): string =>
  /^[\s\S]{8,300}?(?:[.!?](?=\s)|\n\s*\n|$)/.exec(description.trim().slice(0, 400))?.[0] ?? ''

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
