import { withAccountParameter } from '../../catalog/account-parameter.ts'
import type { Offer } from '../../catalog/offers.ts'
import { signatureOf, summaryOf } from '../../catalog/signature.ts'
import type { View } from '../../catalog/view.ts'
import type { Fields } from '../../protocol/message.ts'
import { metaTools } from '../all-meta-tools.ts'
import type { MetaTool } from '../meta-tool.ts'

/**
 * How much of the tools a client is shown at once: `meta`, a few tools that lead to all others;
 * `list`, names and a line each; `full`, everything as the servers give it; `auto`, the most of it
 * that fits a budget.
 */
export const modes = ['meta', 'list', 'full', 'auto'] as const
export type Mode = (typeof modes)[number]

export interface Disclosure {
  /** Lists depend on what servers offer. */
  readonly needsCatalog: boolean
  /** How it is for what is known now. */
  shapeOf(view: View): Promise<Shape>
}

/** One way to show tools. */
export interface Shape {
  listTools(): Fields[]
  metaToolCalled(name: string): MetaTool | undefined
  /** Tools of servers can be called by their own names. */
  isOpen: boolean
  /** Definitions are shown as they are, so that results are too. */
  isVerbatim: boolean
}

type ShapeName = Exclude<Mode, 'auto'> | 'signatures'

/** What `auto` spends on the list of tools, in tokens. */
const autoBudget = 3_000

export function createDisclosure(mode: Mode): Disclosure {
  const shapes = new WeakMap<View, Shape>()
  return {
    needsCatalog: mode !== 'meta',
    async shapeOf(view) {
      let shape = shapes.get(view)
      if (shape === undefined) {
        const isAuto = mode === 'auto'
        const name = isAuto ? await largestWithin(view, autoBudget) : mode
        shape = createShape(name, view, isAuto)
        shapes.set(view, shape)
      }
      return shape
    },
  }
}

/** `hasChanged`: a list of before may have shown names of tools that this one does not. */
function createShape(name: ShapeName, view: View, hasChanged: boolean): Shape {
  const offered =
    name === 'full'
      ? []
      : metaTools.filter(({ isForLists = false }) => name !== 'list' || isForLists)
  return {
    isOpen: name === 'list' || name === 'full' || hasChanged,
    isVerbatim: name === 'full',
    metaToolCalled: (called) => offered.find((tool) => tool.name === called),
    listTools() {
      if (name === 'full') return view.tools.map((offer) => verbatim(offer, view))
      const own = offered.map((tool) => definitionOf(tool, name, view))
      return name === 'list' ? [...own, ...view.tools.map(oneLine)] : own
    },
  }
}

async function largestWithin(view: View, budget: number): Promise<ShapeName> {
  const { estimateTokens } = await import('@pith-mcp/paginator')
  const tokens = (value: unknown): number => estimateTokens(JSON.stringify(value))
  if (tokens(view.tools.map((offer) => verbatim(offer, view))) <= budget) return 'full'
  return tokens(signaturesOf(view)) <= budget ? 'signatures' : 'meta'
}

function definitionOf(
  { name, description, inputSchema, annotations, addedProperties }: MetaTool,
  shape: ShapeName,
  view: View,
): Fields {
  const text = description(view)
  const added = addedProperties?.(view) ?? {}
  const properties = inputSchema['properties'] as Fields
  const isCaller = shape === 'signatures' && name === 'call'
  return {
    name,
    description: isCaller ? `${text}\nThe tools, * for required:\n${signaturesOf(view)}` : text,
    inputSchema: { ...inputSchema, properties: { ...properties, ...added } },
    annotations,
  }
}

const signaturesOf = (view: View): string =>
  view.tools
    .map(({ server, name, definition }) => signatureOf(`${server.name}.${name}`, definition))
    .join('\n')

function verbatim(offer: Offer, view: View): Fields {
  const definition = withAccountParameter(offer, view)
  const { exposed } = offer
  return definition['name'] === exposed ? definition : { ...definition, name: exposed }
}

/** The parameters come with `get_module_schema`, and with the error of a call that got them wrong. */
const oneLine = ({ definition, exposed }: Offer): Fields => ({
  name: exposed,
  description: summaryOf(definition, 32),
  inputSchema: { type: 'object' },
})
