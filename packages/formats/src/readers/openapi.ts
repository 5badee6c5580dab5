import type { Block, Page } from '@pith-mcp/cleaner'
import { attempt } from '#base/attempt'
import { isTable, type Table } from '#base/table'
import type { Format } from '../format.ts'
import {
  describe,
  describeInCell,
  longMark,
  oneLine,
  PageBuilder,
  slugOf,
  tableBlock,
  textBlock,
} from '../parts/page-builder.ts'
import { markdownLinks } from './markdown.ts'
import { ApiDocument, entriesIn, joined, tablesOf } from './openapi/api-document.ts'
import { countUnread } from './openapi/keys.ts'
import { operationBlocks } from './openapi/operations.ts'
import { schemaBlocks, seeOf } from './openapi/schemas.ts'

const methods = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
])
const maxOperations = 5_000
const maxSchemas = 5_000
const maxScopes = 300
/** Of callbacks in callbacks. */
const maxCallbackLevel = 5
/** Of a document in YAML, so that aliases of aliases cannot multiply. */
const maxAliasCount = 1_000

/** Descriptions of APIs: OpenAPI 3 and Swagger 2, in JSON or YAML. */
export const openapi: Format = {
  name: 'OpenAPI',
  types:
    /^application\/(?:vnd\.oai\.openapi(?:\+json|\+yaml)?|(?:x-)?yaml|json)$|^text\/(?:x-)?yaml$/,
  names: /\.(?:json|ya?ml)$/i,
  maxInlineLength: 2 ** 16,
  recognises: (text) =>
    /^\s*\{/.test(text) ? isJsonApi(text.slice(0, maxHead)) : yamlVersion.test(text),
  async read(text, { url = '' }): Promise<Page> {
    const api = new ApiDocument(await rootOf(text))
    if (!isTable(api.root['info'])) api.counts.add('description that is not valid', 1)
    return api.counts.onPage(pageOf(api, url))
  },
  links: markdownLinks,
}

const yamlVersion = /^(["']?)(?:openapi|swagger)\1[ \t]*:[ \t]*["']?[23](?:\.\d|["'\s])/m

/** Of JSON; in YAML, members of the root stand at the beginning of a line. */
const maxHead = 2 ** 16

/** True if a member of the root is the version; the text may end early. */
function isJsonApi(text: string): boolean {
  let depth = 0
  let key = ''
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && token.startsWith('"')) {
      if (/^"(?:openapi|swagger)":"[23]/.test(key + token)) return true
      key = token
    } else if (token === ':') key += token
    if (depth === 0) return false
  }
  return false
}

/** Integers that a number cannot hold become text, marked as what they are. */
const withLongNumbers = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,400}(?![\d.eE])/g, (match) =>
    match.startsWith('"') || Number.isSafeInteger(Number(match)) ? match : `"${longMark}${match}"`,
  )

const asNumber = (_: unknown, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : `${longMark}${value}`
}

async function rootOf(text: string): Promise<Table> {
  const json = attempt((): unknown => JSON.parse(withLongNumbers(text)), undefined)
  if (isTable(json)) return json
  const { Lexer, parseDocument } = await import('yaml')
  const root = attempt((): unknown => {
    if (isHostile(new Lexer().lex(text))) return undefined
    const parsed = parseDocument(text, {
      uniqueKeys: false,
      logLevel: 'silent',
      schema: 'core',
      intAsBigInt: true,
      merge: true,
    })
    return parsed.toJS({ maxAliasCount, reviver: asNumber })
  }, undefined)
  return isTable(root) ? root : {}
}

/** Brackets in one another, and anchors and tags in a row. */
const maxNested = 100

/** True for what the parser takes time for that is quadratic in the number of tokens. */
function isHostile(tokens: Iterable<string>): boolean {
  let depth = 0
  let properties = 0
  for (const token of tokens) {
    if (/^[[{]$/.test(token)) depth++
    else if (/^[\]}]$/.test(token)) depth--
    if (/^[&!]/.test(token)) properties++
    else if (token.trim() !== '') properties = 0
    if (depth > maxNested || properties > maxNested) return true
  }
  return false
}

function pageOf(api: ApiDocument, url: string): Page {
  const { info, components, definitions, securityDefinitions } = api.root
  const { securitySchemes = securityDefinitions, schemas = definitions } = isTable(components)
    ? components
    : {}
  const builder = new PageBuilder()
  const title = isTable(info) ? api.text(info['title']) : ''
  if (isTable(info)) builder.add(1, title, slugOf(title), leadOf(api, info))
  const schemes = securityTable(api, entriesIn(securitySchemes))
  if (schemes.length > 0) builder.add(2, 'Authentication', 'authentication', schemes)
  addOperations(api, builder)
  const entries = entriesIn(schemas)
  api.counts.add('schema', entries.length - maxSchemas)
  if (entries.length > 0) builder.add(2, 'Schemas', 'schemas', [])
  for (const [name, schema] of entries.slice(0, maxSchemas))
    builder.add(3, name, name, schemaBlocks(schema, api))
  countUnread(api)
  return builder.page(url, title)
}

/** The operations below their tags, if there are any. */
function addOperations(api: ApiDocument, builder: PageBuilder): void {
  const { tags, paths, webhooks } = api.root
  const operations = [...operationsIn(api, paths, ''), ...operationsIn(api, webhooks, 'webhook ')]
  api.counts.add('operation', operations.length - maxOperations)
  const byTag = new Map<string, Operation[]>(tablesOf(tags).map(({ name }) => [joined(name), []]))
  for (const operation of operations.slice(0, maxOperations)) {
    const siblings = byTag.get(operation.tag) ?? []
    byTag.set(operation.tag, siblings)
    siblings.push(operation)
  }
  const about = new Map(tablesOf(tags).map((tag) => [joined(tag['name']), tag]))
  const isTagged = about.size > 0 || byTag.size > 1 || !byTag.has('')
  for (const [tag, siblings] of byTag) {
    const title = tag || 'Other operations'
    if (isTagged) builder.add(2, title, slugOf(title), tagBlocks(api, about.get(tag)))
    const level = isTagged ? 3 : 2
    for (const operation of siblings) addOperation(api, builder, operation, level)
  }
}

function tagBlocks(api: ApiDocument, tag: Table = {}): Block[] {
  const { summary, description, externalDocs } = tag
  return [
    ...textBlock(api.text(summary)),
    ...describe(api.text(description)),
    ...textBlock(isTable(externalDocs) ? `More: ${seeOf(externalDocs, api)}.` : ''),
  ]
}

/** An operation, and what it calls back, below it. */
function addOperation(
  api: ApiDocument,
  builder: PageBuilder,
  each: Operation,
  level: number,
): void {
  const { name, id, item, operation } = each
  builder.add(level, name, id, operationBlocks(api, item, operation))
  for (const [event, value] of entriesIn(operation['callbacks'])) {
    const isNested = level >= maxCallbackLevel
    if (isNested) api.counts.add('callback in callbacks', 1)
    for (const call of isNested ? [] : operationsIn(api, api.resolve(value), ''))
      addOperation(api, builder, { ...call, name: `callback ${event}: ${call.name}` }, level + 1)
  }
}

interface Operation {
  name: string
  id: string
  tag: string
  /** The path of the operation. */
  item: Table
  operation: Table
}

function operationsIn(api: ApiDocument, paths: unknown, prefix: string): Operation[] {
  return entriesIn(paths).flatMap(([path, value]) => {
    const item = api.resolve(value)
    return entriesIn(item).flatMap(([method, operation]) => {
      if (!methods.has(method)) return []
      const name = `${method.toUpperCase()} ${prefix}${path}`
      const { operationId, tags } = operation
      const own = joined(operationId)
      const id = /^[\w.~-]+$/.test(own) ? own : slugOf(own) || slugOf(name)
      const tag = Array.isArray(tags) ? joined(tags[0]) : ''
      return [{ name, id, tag, item, operation }]
    })
  })
}

function leadOf(api: ApiDocument, info: Table): Block[] {
  const { openapi, swagger, servers, host, basePath = '', schemes = ['https'] } = api.root
  const { version, description, summary, termsOfService, contact, license } = info
  const { externalDocs } = api.root
  // Swagger 2 has the parts of the addresses.
  const addresses = [schemes]
    .flat()
    .map((scheme) => `- ${host ? `${scheme}://${host}` : ''}${basePath}`)
  const lines =
    host || basePath ? addresses : tablesOf(servers).map((server) => serverLine(api, server))
  return [
    ...textBlock(
      `Version ${joined(version)}, ${openapi ? 'OpenAPI' : 'Swagger'} ${openapi ?? swagger}.`,
    ),
    ...textBlock(api.text(summary)),
    ...describe(api.text(description)),
    ...textBlock(termsOfService ? `Terms of service: ${api.text(termsOfService)}` : ''),
    ...textBlock(isTable(contact) ? `Contact: ${factsIn(api, contact)}` : ''),
    ...textBlock(isTable(license) ? `License: ${factsIn(api, license)}` : ''),
    ...textBlock(isTable(externalDocs) ? `More: ${seeOf(externalDocs, api)}.` : ''),
    ...(lines.length > 0 ? [...textBlock('Servers:'), listBlock(lines)] : []),
  ]
}

/** The texts of an object: `Pets, https://pets.example`. */
const factsIn = (api: ApiDocument, table: Table): string =>
  ['name', 'email', 'identifier', 'url']
    .map((key) => api.text(table[key]))
    .filter(Boolean)
    .join(', ')

const listBlock = (lines: readonly string[]): Block => ({
  kind: 'list',
  markdown: lines.join('\n'),
})

function serverLine(api: ApiDocument, { url, description, variables }: Table): string {
  const values = entriesIn(variables).map(
    ([name, { default: usual, enum: values, description }]) => {
      const about = [values && `of ${joined(values)}`, oneLine(api.text(description))].filter(
        Boolean,
      )
      return `\`${name}\` is ${joined(usual)}${about.length > 0 ? ` (${about.join('; ')})` : ''}`
    },
  )
  const about = [oneLine(api.text(description)), ...values].filter(Boolean)
  return `- ${api.text(url)}${about.length > 0 ? `: ${about.join('; ')}` : ''}`
}

function securityTable(api: ApiDocument, schemes: readonly [string, Table][]): Block[] {
  const rows = schemes.map(([name, value]) => {
    const scheme = api.resolve(value)
    const { type, in: place, name: key, flows, description, bearerFormat } = scheme
    const means = [scheme['scheme'], bearerFormat, place && `${place} \`${key}\``]
    // Swagger 2 has one flow in the scheme itself.
    const all = scheme['flow'] ? [[joined(scheme['flow']), scheme] as const] : entriesIn(flows)
    const facts = [
      describeInCell(api.text(description)),
      api.text(scheme['openIdConnectUrl']),
      ...all.map(([flow, each]) => flowOf(api, flow, each)),
    ]
    const words = [...means, ...all.map(([flow]) => flow)].filter(Boolean)
    return [`\`${name}\``, joined(type), joined(words), facts.filter(Boolean).join('\n')]
  })
  return tableBlock(['Name', 'Type', 'Means', 'Description'], rows)
}

/** The addresses and scopes of a flow of OAuth. */
function flowOf(api: ApiDocument, name: string, flow: Table): string {
  const urls = ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl']
  const addresses = urls.map((key) => flow[key] && `${key} ${api.text(flow[key])}`)
  const { scopes } = flow
  const list = Object.entries(isTable(scopes) ? scopes : {})
    .slice(0, maxScopes)
    .map(([scope, about]) => `\`${scope}\`: ${api.text(about)}`)
  return `${name}: ${[...addresses.filter(Boolean), ...list].join('; ')}`
}
