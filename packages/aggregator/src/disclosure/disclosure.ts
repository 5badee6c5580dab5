import { estimateTokens } from '@pith-mcp/paginator'
import type { Offer, View } from '../catalog/view.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { metaTools } from '../meta-tools/all-meta-tools.ts'
import type { MetaTool } from '../meta-tools/meta-tool.ts'
import type { Fields } from '../upstream/connection.ts'
import { signatureOf, summaryOf } from './signature.ts'

/**
 * How much of the tools a client is shown at once: `meta`, a few tools that lead to all others;
 * `list`, names and a line each; `full`, everything as the servers give it; `auto`, the most of it
 * that fits a budget.
 */
export const modes = ['meta', 'list', 'full', 'auto'] as const
export type Mode = (typeof modes)[number]

export interface Disclosure {
  readonly mode: Mode
  /** Lists depend on what servers offer. */
  readonly needsCatalog: boolean
  listTools(view: View): Fields[]
  metaToolCalled(name: string, view: View): MetaTool | undefined
  /** Tools of servers can be called by their own names. */
  isOpen(view: View): boolean
  /** Definitions are shown as they are, so that results are too. */
  isVerbatim(view: View): boolean
}

/** What `auto` spends on the list of tools, in tokens. */
const autoBudget = 3_000

export function createDisclosure(mode: Mode, servers: readonly ServerConfig[]): Disclosure {
  const chosen = new WeakMap<View, 'meta' | 'signatures' | 'full'>()
  const shapeOf = (view: View): 'meta' | 'list' | 'full' | 'signatures' => {
    if (mode !== 'auto') return mode
    const before = chosen.get(view)
    if (before !== undefined) return before
    const shape = largestWithin(view, autoBudget)
    chosen.set(view, shape)
    return shape
  }
  const offered = (view: View): readonly MetaTool[] => {
    const shape = shapeOf(view)
    if (shape === 'full') return []
    return metaTools.filter(({ isForLists = false }) => shape !== 'list' || isForLists)
  }
  return {
    mode,
    needsCatalog: mode !== 'meta',
    listTools(view) {
      const shape = shapeOf(view)
      const own = offered(view).map((tool) => definitionOf(tool, servers, shape, view))
      if (shape === 'full') return view.tools.map(verbatim)
      return shape === 'list' ? [...own, ...view.tools.map(oneLine)] : own
    },
    metaToolCalled: (name, view) => offered(view).find((tool) => tool.name === name),
    isOpen: (view) => shapeOf(view) !== 'meta' && shapeOf(view) !== 'signatures',
    isVerbatim: (view) => shapeOf(view) === 'full',
  }
}

function largestWithin(view: View, budget: number): 'meta' | 'signatures' | 'full' {
  const tokens = (value: unknown): number => estimateTokens(JSON.stringify(value))
  if (tokens(view.tools.map(verbatim)) <= budget) return 'full'
  return tokens(signaturesOf(view)) <= budget ? 'signatures' : 'meta'
}

function definitionOf(
  { name, description, inputSchema, annotations }: MetaTool,
  servers: readonly ServerConfig[],
  shape: string,
  view: View,
): Fields {
  const text = description(servers)
  const isCaller = shape === 'signatures' && name === 'call'
  return {
    name,
    description: isCaller ? `${text}\nThe tools, * for required:\n${signaturesOf(view)}` : text,
    inputSchema,
    annotations,
  }
}

const signaturesOf = (view: View): string =>
  view.tools
    .map(({ server, name, definition }) => signatureOf(`${server.name}.${name}`, definition))
    .join('\n')

const verbatim = ({ definition, exposed }: Offer): Fields =>
  definition['name'] === exposed ? definition : { ...definition, name: exposed }

/** The parameters come with `get_module_schema`, and with the error of a call that got them wrong. */
const oneLine = ({ definition, exposed }: Offer): Fields => ({
  name: exposed,
  description: summaryOf(definition, 60),
  inputSchema: { type: 'object' },
})
