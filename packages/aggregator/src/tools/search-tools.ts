import { forModel } from '#scan/server-text'
import type { ServerConfig } from '#servers/config/server-config'
import { badArgument } from '#servers/protocol/bad-argument'
import { abortSignalOf } from '#servers/protocol/cancellation'
import { oncePer } from '#servers/protocol/once-per'
import { plainName } from '#servers/protocol/plain-name'
import { quoteValue } from '#servers/protocol/quote-value'
import { ownersOf } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { resolveModule } from '../catalog/resolve-tool.ts'
import { signatureOf, summaryOf } from '../catalog/signature.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import {
  accountIn,
  accountNames,
  flag,
  isAbsent,
  textsIn,
  wholeNumber,
  words,
} from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'
import { languageToSearchIn } from './search/language-of-tools.ts'
import type { SearchAnswer, SearchHit } from './search/tool-search.ts'
import { troubleOf, unknownOnes } from './server-trouble.ts'

const maxHits = 50
/** Characters: each of them takes time. */
const maxQueryLength = 2_000
/** Modules named in the description. */
const maxNamed = 40
/** Characters of what is wrong with a definition. */
const maxFaultLength = 160

export const searchTools: MetaTool = {
  name: 'search_tools',
  isEntry: true,
  description: ({ servers }) =>
    `Find the right tool for a task, by capability: "github create issue". Searches the tools of all servers${namesOf(servers)}. Gives signatures for call, * for required.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      server: { type: 'string', description: 'Only this one' },
      read_only: { type: 'boolean' },
      limit: { type: 'integer', minimum: 1, maximum: maxHits, default: 5 },
    },
    required: ['query'],
  },
  addedProperties(view) {
    const tags = tagsIn(view)
    return {
      ...(tags.length > 0 && { tags: { type: 'array', items: { enum: tags } } }),
      ...accountNames(view),
    }
  },
  alsoTaken: ['tags', 'account'],
  annotations: readsOnly,
  async answer(args, { context, view: before }, { gateway, toolSearch }) {
    const { session, capabilities } = context
    const query = words(args, 'query')
    if (query.length > maxQueryLength)
      throw badArgument('query', query, `at most ${maxQueryLength} characters`)
    const limit = wholeNumber(args, 'limit', 1, maxHits) ?? 5
    const tags = textsIn(args, 'tags')
    const allTags = tagsIn(before)
    const odd = tags.find((tag) => !allTags.includes(tag))
    if (odd !== undefined)
      throw badArgument(
        'tags',
        odd,
        allTags.length > 0 ? `one or more of ${allTags.join(', ')}` : 'no tags',
      )
    const { servers } = before
    const server = isAbsent(args['server'])
      ? undefined
      : (await resolveModule(words(args, 'server'), servers)).server.name
    await gateway.discovery.readMissing(session, capabilities)
    // The state is taken once: servers go on while the index is loaded and searched.
    const view = gateway.viewFor(context)
    const troubles = new Map(unitsOf(view).map((unit) => [unit, troubleOf(unit, gateway)]))
    const unknown = unknownOnes(view, gateway)
    const request = {
      query,
      server,
      limit,
      tags: tags.length > 0 ? tags : undefined,
      readOnly: flag(args, 'read_only'),
      account: accountIn(args, view),
    }
    const answer = await toolSearch.find(request, view, abortSignalOf(context.signal))
    const lines = render(query, answer, view, troubles)
    if (unknown !== undefined) lines.push(`Not searched: ${unknown}`)
    return textResult([...lines, ...switchedOff(query, gateway, view)].join('\n'))
  },
}

const unitsOf = oncePer(({ tools }: ToolView) => [...new Set(tools.map(({ server }) => server))])

function render(
  query: string,
  { hits, absent, note }: SearchAnswer,
  view: ToolView,
  troubles: ReadonlyMap<ServerConfig, string | undefined>,
): string[] {
  const lines = hits.map((hit) =>
    lineOf(
      hit,
      troubles.get(hit.tool.server) ?? faultOf(hit.tool, view) ?? ownersOf(hit.tool, view),
    ),
  )
  if (lines.length === 0)
    lines.push(
      `No tool matches ${quoteValue(query)}; ${view.tools.length} ${view.tools.length === 1 ? 'tool was' : 'tools were'} searched.`,
    )
  // Words in a script that no tool uses cannot match; a name or a value may be in one.
  const isByMeaning = hits.some(({ reasons }) => reasons.includes('meaning'))
  const language = languageToSearchIn(query, view.tools, hits.length > 0 ? 0.5 : 0)
  if (language !== undefined && !isByMeaning)
    lines.push(`No tool has words in this script: search in ${language}.`)
  if (note !== undefined) lines.push(note)
  for (const { server, name, reason } of absent)
    lines.push(`Cannot be called now: ${server.name}.${name}: ${reason}.`)
  return lines
}

function lineOf({ tool, reasons }: SearchHit, problem: string | undefined): string {
  const summary = summaryOf(tool.definition)
  const signature = signatureOf(`${tool.server.name}.${tool.name}`, tool.definition)
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  return `${signature}${summary ? ` — ${summary}` : ''}${why}${problem ? ` [${problem}]` : ''}`
}

/** Why lists have no such tool, or another definition of it. */
function faultOf({ server, upstreamName }: CatalogTool, view: ToolView): string | undefined {
  const { faults = [] } = view.entryOf(server.name) ?? {}
  const fault = faults.find(({ kind, name }) => kind === 'tools' && name === upstreamName)
  return fault && forModel(fault.why, maxFaultLength)
}

/** Disabled servers that the query names; only in views without a profile. */
function switchedOff(query: string, { fleet }: Gateway, view: ToolView): string[] {
  if (!view.isWhole) return []
  const plainQuery = plainName(query)
  return fleet.disabled
    .filter((name) => plainQuery.includes(plainName(name)))
    .map((name) => `${name} is disabled in the configuration. Set "enabled": true to enable it.`)
}

const tagsIn = ({ servers }: ToolView): string[] =>
  [
    ...new Set([
      ...servers.flatMap(({ tags }) => tags ?? []),
      ...servers.flatMap(({ rules }) =>
        Object.values(rules?.tools ?? {}).flatMap(({ tags }) => tags ?? []),
      ),
    ]),
  ].slice(0, 40)

function namesOf(servers: readonly ServerConfig[]): string {
  const names = servers.slice(0, maxNamed).map(({ name }) => name)
  const rest = servers.length - names.length
  return names.length === 0 ? '' : `: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
