import { withAppUri } from '#servers/protocol/apps'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import type { Mode } from '#servers/protocol/request-context'
import { asPlainTool } from '#servers/protocol/tasks'
import type { BoundMetaTool, ToolList } from '../../call/stages/bound-meta-tool.ts'
import { isListedApp } from '../../call/stages/rules.ts'
import { withAccountParameter } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { uriShownBy } from '../../catalog/own-links.ts'
import { summaryOf } from '../../catalog/signature.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { metaTools } from '../all-meta-tools.ts'
import { argumentsFor } from '../arguments.ts'
import { call } from '../call.ts'
import type { MetaTool, ToolDeps } from '../meta-tool.ts'

export interface ListModes {
  /** Lists depend on the lists of the servers. */
  readonly needsCatalog: boolean
  /** The list mode for the current view. */
  listModeOf(view: ToolView): ToolList
}

export function createListModes(mode: Mode, deps: ToolDeps): ListModes {
  const shapes = new WeakMap<ToolView, ToolList>()
  return {
    needsCatalog: mode !== 'meta',
    listModeOf(view) {
      let shape = shapes.get(view)
      if (shape === undefined) {
        shape = createListMode(mode, view, deps)
        shapes.set(view, shape)
      }
      return shape
    },
  }
}

const bound = (tool: MetaTool, deps: ToolDeps): BoundMetaTool => ({
  name: tool.name,
  answer: async (args, call) => tool.answer(argumentsFor(tool, args), call, deps),
})

function createListMode(name: Mode, view: ToolView, deps: ToolDeps): ToolList {
  const offered =
    name === 'full'
      ? []
      : metaTools
          .filter(({ isForLists = false }) => name !== 'list' || isForLists)
          .filter(({ isOffered }) => isOffered?.(deps.settings) ?? true)
  const byName = new Map(offered.map((tool) => [tool.name, bound(tool, deps)]))
  // What prompts for mcpist of 2026 say.
  if (name === 'meta') byName.set('run', bound(call, deps))
  return {
    isOpen: name !== 'meta',
    isVerbatim: name === 'full',
    metaTool: (called) => byName.get(called),
    listTools() {
      const apps = view.showsApps
        ? [...view.tools, ...view.appTools].filter((tool) => isListedApp(tool, view))
        : []
      const render = (tools: readonly CatalogTool[]) => tools.map((tool) => verbatim(tool, view))
      if (name === 'full')
        return [...view.tools, ...view.appTools].map((tool) => withHint(verbatim(tool, view), tool))
      deps.toolSearch.prepare(view).catch(() => {})
      const definitions = offered.map((tool) => definitionOf(tool, view, deps.settings))
      const rest = name === 'list' ? view.tools.filter((tool) => !apps.includes(tool)) : []
      return [...definitions, ...render(apps), ...rest.map(oneLine)]
    },
  }
}

function definitionOf(
  { name, description, inputSchema, annotations, addedProperties, isEntry = false }: MetaTool,
  view: ToolView,
  { alwaysLoad = true }: ToolDeps['settings'],
): JsonObject {
  const added = addedProperties?.(view) ?? {}
  const properties = inputSchema['properties'] as JsonObject | undefined
  return {
    name,
    description: description(view),
    inputSchema: properties
      ? { ...inputSchema, properties: { ...properties, ...added } }
      : inputSchema,
    annotations,
    // Claude Code hides all other tools of MCP until it has searched for them.
    ...(isEntry && alwaysLoad && { _meta: { 'anthropic/alwaysLoad': true } }),
  }
}

function verbatim(tool: CatalogTool, view: ToolView): JsonObject {
  const plainTool = asPlainTool(withAccountParameter(tool, view))
  const definition = withAppUri(plainTool, uriShownBy(tool.server, view))
  const { exposed } = tool
  return definition['name'] === exposed ? definition : { ...definition, name: exposed }
}

/**
 * Claude Code searches this next to the definition. It has the words that the configuration has for
 * the server and the tool; synonyms made searches worse.
 */
function withHint(definition: JsonObject, { server, name }: CatalogTool): JsonObject {
  const { description, tags = [], rules } = server
  const words = [description, ...tags, ...(rules?.tools?.[name]?.tags ?? [])].filter(Boolean)
  const { _meta: meta } = definition
  if (words.length === 0 || (isJsonObject(meta) && meta[hintKey] !== undefined)) return definition
  return { ...definition, _meta: { ...(meta as object), [hintKey]: words.join(', ') } }
}

const hintKey = 'anthropic/searchHint'

/**
 * The parameters are returned by `get_module_schema`, and by the error of a call with wrong ones.
 * Clients ask their user before a call by what `readOnlyHint` and `destructiveHint` say.
 */
function oneLine({ definition, exposed }: CatalogTool): JsonObject {
  const { annotations } = definition as { annotations?: JsonObject | null }
  const { readOnlyHint, destructiveHint } = annotations ?? {}
  return {
    name: exposed,
    description: summaryOf(definition, 32),
    inputSchema: { type: 'object' },
    ...(annotations && { annotations: { readOnlyHint, destructiveHint } }),
  }
}
