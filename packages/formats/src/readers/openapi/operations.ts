import type { Block } from '@pith-mcp/cleaner'
import { isTable, type Table } from '#base/table'
import {
  describe,
  describeInCell,
  exampleBlock,
  tableBlock,
  textBlock,
} from '../../parts/page-builder.ts'
import { type ApiDocument, entriesIn, joined, referenceIn, tablesOf } from './api-document.ts'
import { memberTable, notesOf, typeOf } from './schemas.ts'

/** Of one operation; the rest is counted. */
const maxParameters = 300
const maxResponses = 100

/** What an operation does, takes and answers. `item` is its path, which may have parameters too. */
export function operationBlocks(api: ApiDocument, item: Table, operation: Table): Block[] {
  const { summary, description, deprecated, requestBody, responses, callbacks } = operation
  api.counts.add('callback', entriesIn(callbacks).length)
  const parameters = parametersOf(api, item, operation)
  const body = requestBody ?? parameters.find((each) => each['in'] === 'body')
  return [
    ...textBlock(api.text(summary)),
    ...describe(description === summary ? '' : api.text(description)),
    ...textBlock(deprecated === true ? 'Deprecated.' : ''),
    ...securityLine(operation['security'] ?? api.root['security']),
    ...parameterTable(api, parameters),
    ...(body === undefined ? [] : bodyBlocks(api, api.resolve(body), operation)),
    ...responseBlocks(api, entriesIn(responses)),
  ]
}

/** Those of the path first, unless the operation has one of the same name and place. */
function parametersOf(api: ApiDocument, item: Table, operation: Table): Table[] {
  const list = [...tablesOf(item['parameters']), ...tablesOf(operation['parameters'])]
  const unique = new Map(
    list.map((value) => {
      const parameter = api.resolve(value)
      // Of a reference to another file, there is nothing but its address.
      const name = parameter['name'] ?? referenceIn(value)
      return [`${parameter['in']} ${name}`, { ...parameter, name }]
    }),
  )
  api.counts.add('parameter', unique.size - maxParameters)
  return [...unique.values()].slice(0, maxParameters)
}

function parameterTable(api: ApiDocument, parameters: readonly Table[]): Block[] {
  const rows = parameters
    .filter((each) => each['in'] !== 'body')
    .map((parameter) => {
      const { name, in: place, required, description, deprecated } = parameter
      // Swagger 2 has the members of the schema in the parameter itself.
      const schema = parameter['schema'] ?? contentOf(parameter)[0]?.[1]['schema'] ?? parameter
      const facts = isTable(schema) ? { ...schema, deprecated, description } : { description }
      return [
        `\`${name}\``,
        joined(place),
        typeOf(schema, api),
        required === true ? 'yes' : '',
        notesOf(facts, api),
      ]
    })
  const table = tableBlock(['Name', 'In', 'Type', 'Required', 'Description'], rows)
  return table.length > 0 ? [...textBlock('**Parameters**'), ...table] : []
}

function securityLine(security: unknown): Block[] {
  const options = tablesOf(security).map((option) => {
    const names = Object.entries(option).map(([name, scopes]) => {
      const list = joined(scopes)
      return `\`${name}\`${list && ` (${list})`}`
    })
    return names.join(' and ') || 'nothing'
  })
  return textBlock(options.length > 0 ? `Requires ${options.join(' or ')}.` : '')
}

/** Media types and what they have. Swagger 2 has the schema in the body or response itself. */
const contentOf = ({ content, schema }: Table, types?: unknown): [string, Table][] =>
  schema === undefined ? entriesIn(content) : [[joined(types), { schema }]]

function bodyBlocks(api: ApiDocument, body: Table, { consumes }: Table): Block[] {
  return [
    ...textBlock(`**Request body**${body['required'] === true ? ' (required)' : ''}`),
    ...describe(api.text(body['description'])),
    ...contentOf(body, consumes).flatMap((content) => contentBlocks(api, content, '')),
  ]
}

function contentBlocks(api: ApiDocument, [type, media]: [string, Table], label: string): Block[] {
  const { schema, example, examples } = media
  const [first] = entriesIn(examples).map(([, each]) => api.resolve(each)['value'])
  const parts = [type && `\`${type}\``, schema === undefined ? '' : typeOf(schema, api)]
  return [
    ...textBlock(label + parts.filter(Boolean).join(': ')),
    ...memberTable(schema, api),
    ...exampleBlock(example ?? first),
  ]
}

function responseBlocks(api: ApiDocument, responses: readonly [string, Table][]): Block[] {
  api.counts.add('response', responses.length - maxResponses)
  const details: Block[] = []
  const rows = responses.slice(0, maxResponses).map(([status, value]) => {
    const response = api.resolve(value)
    const contents = contentOf(response)
    const types = contents.map(([, { schema }]) =>
      schema === undefined ? '' : typeOf(schema, api),
    )
    const headers = joined(entriesIn(response['headers']).map(([name]) => `\`${name}\``))
    for (const content of contents) {
      const blocks = contentBlocks(api, content, `**${status}** `)
      // A schema that has a section of its own is named in the table.
      if (blocks.length > 1) details.push(...blocks)
    }
    const about = [
      describeInCell(api.text(response['description'])),
      headers && `(headers ${headers})`,
    ]
    return [
      status,
      [...new Set(types)].filter(Boolean).join(' or '),
      about.filter(Boolean).join(' '),
    ]
  })
  const table = tableBlock(['Status', 'Type', 'Description'], rows)
  return table.length > 0 ? [...textBlock('**Responses**'), ...table, ...details] : []
}
