import type { Gateway } from '../catalog/gateway.ts'
import { resolveModule } from '../catalog/resolve-tool.ts'
import { signatureOf, summaryOf } from '../catalog/signature.ts'
import type { View } from '../catalog/view.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { plainName } from '../protocol/plain-name.ts'
import { shown } from '../protocol/shown.ts'
import { unitName } from '../protocol/unit.ts'
import { badArgument, flag, isAbsent, textsIn, wholeNumber, words } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'
import type { SearchAnswer, SearchHit } from './search/tool-search.ts'

const mostHits = 50
const longestReason = 160

export const searchTools: MetaTool = {
  name: 'search_tools',
  description: () =>
    'Find tools of all modules by what they do. Name service, verb and object, one capability a call: "github create issue". Gives signatures to use with call; * marks required parameters.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      server: { type: 'string', description: 'Only this module' },
      read_only: { type: 'boolean' },
      limit: { type: 'integer', minimum: 1, maximum: mostHits, default: 5 },
    },
    required: ['query'],
  },
  addedProperties(view) {
    const tags = tagsIn(view)
    return tags.length === 0 ? {} : { tags: { type: 'array', items: { enum: tags } } }
  },
  alsoTaken: ['tags'],
  annotations: readsOnly,
  async answer(args, exchange, { gateway, toolSearch }) {
    const { session, capabilities, signal } = exchange
    const query = words(args, 'query')
    const limit = wholeNumber(args, 'limit', 1, mostHits) ?? 5
    const tags = textsIn(args, 'tags')
    const before = gateway.viewFor(exchange)
    const known = tagsIn(before)
    const odd = tags.find((tag) => !known.includes(tag))
    if (odd !== undefined)
      throw badArgument('tags', odd, known.length > 0 ? `some of ${known.join(', ')}` : 'none')
    const { servers } = before
    const server = isAbsent(args['server'])
      ? undefined
      : (await resolveModule(words(args, 'server'), servers)).found.name
    await gateway.discover(session, capabilities)
    const view = gateway.viewFor(exchange)
    const request = {
      query,
      server,
      limit,
      tags: tags.length > 0 ? tags : undefined,
      readOnly: flag(args, 'read_only'),
    }
    const answer = await toolSearch.find(request, view, signal)
    return textResult(render(query, answer, view, gateway).join('\n'))
  },
}

function render(
  query: string,
  { hits, absent }: SearchAnswer,
  view: View,
  gateway: Gateway,
): string[] {
  const lines = hits.map((hit) => lineOf(hit, troubleOf(hit.offer.server, gateway)))
  if (lines.length === 0) lines.push(`No tool of ${view.tools.length} matches ${shown(query)}.`)
  for (const { server, name, said } of absent)
    lines.push(`Cannot be called now: ${server.name}.${name}: ${said}.`)
  for (const server of view.unknown)
    lines.push(
      `Not searched: ${server.name}, ${troubleOf(server, gateway) ?? 'which has not answered yet; search again'}.`,
    )
  return [...lines, ...switchedOff(query, gateway, view)]
}

function lineOf({ offer, reasons }: SearchHit, trouble: string | undefined): string {
  const summary = summaryOf(offer.definition)
  const signature = signatureOf(`${offer.server.name}.${offer.name}`, offer.definition)
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  return `${signature}${summary ? ` — ${summary}` : ''}${why}${trouble ? ` [${trouble}]` : ''}`
}

/** What keeps a server from being called now, and what to do about it. */
function troubleOf(server: ServerConfig, gateway: Gateway): string | undefined {
  const { instances } = gateway.statusOf(server)
  const trouble =
    instances.find(({ needsSignIn }) => needsSignIn) ??
    instances.find(({ state }) => state === 'down')
  if (!trouble?.needsSignIn && instances.some(({ state }) => state === 'ready')) return undefined
  return trouble && sayTrouble(server, trouble)
}

function sayTrouble(
  server: ServerConfig,
  {
    lastError = '',
    retryInMs,
    needsSignIn,
  }: { lastError?: string | undefined; retryInMs: number; needsSignIn?: boolean },
): string {
  if (needsSignIn) return `needs a sign-in: aggregator-mcp login ${unitName(server)}`
  if (server.problem !== undefined) return `cannot be used as it is configured: ${server.problem}`
  const when = retryInMs > 0 ? `; tried again in ${Math.ceil(retryInMs / 1000)} s` : ''
  return `down: ${lastError.slice(0, longestReason)}${when}`
}

/** Servers that are switched off are named to those who see all servers, if they ask for them. */
function switchedOff(query: string, { disabled }: Gateway, view: View): string[] {
  if (!view.isWhole) return []
  const asked = plainName(query)
  return disabled
    .filter((name) => asked.includes(plainName(name)))
    .map((name) => `${name} is switched off in the configuration; "enabled": true brings it back.`)
}

const tagsIn = ({ servers }: View): string[] =>
  [
    ...new Set([
      ...servers.flatMap(({ tags }) => tags ?? []),
      ...servers.flatMap(({ rules }) =>
        Object.values(rules?.tools ?? {}).flatMap(({ tags }) => tags ?? []),
      ),
    ]),
  ].slice(0, 40)
