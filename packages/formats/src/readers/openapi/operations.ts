import type { Block } from '@pith-mcp/cleaner'
import { isTable, type Table } from '#base/table'
import {
  describe,
  describeInCell,
  exampleBlock,
  jsonOf,
  tableBlock,
  textBlock,
} from '../../parts/page-builder.ts'
import {
  type ApiDocument,
  entriesIn,
  joined,
  nameOfReference,
  referenceIn,
  tablesOf,
} from './api-document.ts'
import { memberTable, notesOf, seeOf } from './schemas.ts'
import { typeOf } from './types.ts'

/** Of one operation; the rest is counted. */
const maxParameters = 300
const maxResponses = 100
const maxExamples = 20

/** What an operation does, takes and answers. `item` is its path, which may have parameters too. */
export function operationBlocks(api: ApiDocument, item: Table, operation: Table): Block[] {
  const { summary, description, deprecated, requestBody, responses, externalDocs, consumes } =
    operation
  const parameters = parametersOf(api, item, operation)
  const body = requestBody ?? parameters.find((each) => each['in'] === 'body')
  return [
    ...textBlock(api.text(summary)),
    ...describe(description === summary ? '' : api.text(description)),
    ...[item['summary'], item['description']].flatMap((text) => describe(api.text(text))),
    ...textBlock(deprecated === true ? 'Deprecated.' : ''),
    ...textBlock(isTable(externalDocs) ? `${seeOf(externalDocs, api)}.`.replace(/^s/, 'S') : ''),
    ...textBlock(serversOf(api, operation['servers'] ?? item['servers'])),
    ...textBlock(operation['schemes'] === undefined ? '' : `By ${joined(operation['schemes'])}.`),
    ...securityLine(operation['security'] ?? api.root['security']),
    ...parameterTable(api, parameters),
    ...textBlock(body === undefined && consumes ? `Takes \`${joined(consumes)}\`.` : ''),
    ...(body === undefined ? [] : bodyBlocks(api, api.resolve(body), operation)),
    ...responseBlocks(api, entriesIn(responses), operation),
  ]
}

/** Where an operation is answered, if not by the servers of all. */
function serversOf(api: ApiDocument, servers: unknown): string {
  const lines = tablesOf(servers).map(({ url, description }) =>
    [api.text(url), api.text(description)].filter(Boolean).join(': '),
  )
  return lines.length > 0 ? `Servers: ${lines.join('; ')}` : ''
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

function parameterTable(
  api: ApiDocument,
  parameters: readonly Table[],
  title = '**Parameters**',
): Block[] {
  const details: Block[] = []
  const rows = parameters
    .filter((each) => each['in'] !== 'body')
    .map((parameter) => {
      const { name, in: place, required, description, deprecated, example, style } = parameter
      // Swagger 2 has the members of the schema in the parameter itself.
      const schema = parameter['schema'] ?? contentOf(parameter)[0]?.[1]['schema'] ?? parameter
      details.push(...memberTable(schema, api), ...exampleBlocks(api, parameter['examples']))
      const inline = isTable(schema) ? schema : {}
      const facts = [inline['description'], inline['deprecated'], inline['example']]
      const notes = notesOf(
        {
          ...inline,
          description: description ?? facts[0],
          deprecated: deprecated ?? facts[1],
          example: example ?? facts[2],
        },
        api,
      )
      const how = [
        style,
        parameter['explode'] === undefined ? '' : `explode ${parameter['explode']}`,
        parameter['allowEmptyValue'] && 'may be empty',
        parameter['allowReserved'] && 'reserved characters as they are',
      ]
      return [
        `\`${name}\``,
        joined(place),
        typeOf(schema, api),
        required === true ? 'yes' : '',
        [notes, joined(how.filter(Boolean))].filter(Boolean).join('; '),
      ]
    })
  const table = tableBlock(['Name', 'In', 'Type', 'Required', 'Description'], rows)
  return table.length > 0 ? [...textBlock(title), ...table, ...details] : []
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
    ...contentOf(body, consumes ?? api.root['consumes']).flatMap((content) =>
      contentBlocks(api, content, ''),
    ),
  ]
}

function contentBlocks(api: ApiDocument, [type, media]: [string, Table], label: string): Block[] {
  const { schema, example, examples, encoding } = media
  const parts = [type && `\`${type}\``, schema === undefined ? '' : typeOf(schema, api)]
  // The notes of a schema that is not written here are in its section.
  const notes = referenceIn(schema) === undefined ? notesOf(schema, api) : ''
  return [
    ...textBlock([label + parts.filter(Boolean).join(': '), notes].filter(Boolean).join(' – ')),
    ...memberTable(schema, api),
    ...textBlock(isTable(encoding) ? `Encoding: \`${jsonOf(encoding, 1_000)}\`` : ''),
    ...exampleBlock(example),
    ...exampleBlocks(api, examples),
  ]
}

/** Examples with their names. Swagger 2 has values by their media types. */
function exampleBlocks(api: ApiDocument, examples: unknown): Block[] {
  const all = isTable(examples) ? Object.entries(examples) : []
  api.counts.add('example', all.length - maxExamples)
  return all.slice(0, maxExamples).flatMap(([name, value]) => {
    const each = api.resolve(value)
    const { summary, description, externalValue, dataValue, serializedValue } = each
    const about = [summary, description, externalValue].map((text) => api.text(text))
    return [
      ...textBlock([`Example \`${name}\``, ...about].filter(Boolean).join(': ')),
      ...exampleBlock('value' in each ? each['value'] : (dataValue ?? serializedValue)),
    ]
  })
}

function responseBlocks(
  api: ApiDocument,
  responses: readonly [string, Table][],
  { produces }: Table,
): Block[] {
  api.counts.add('response', responses.length - maxResponses)
  const details: Block[] = []
  const rows = responses.slice(0, maxResponses).map(([status, value]) => {
    const response = api.resolve(value)
    const contents = contentOf(response, produces ?? api.root['produces'])
    const types = contents.map(([, { schema }]) =>
      schema === undefined ? '' : typeOf(schema, api),
    )
    for (const content of contents) {
      const blocks = contentBlocks(api, content, `**${status}** `)
      // A schema that has a section of its own is named in the table; its media type is usual.
      if (blocks.length > 1 || !/^(?:application\/json)?$/.test(content[0])) details.push(...blocks)
    }
    const headers = entriesIn(response['headers']).map(([name, header]) => ({
      ...api.resolve(header),
      name,
    }))
    details.push(...parameterTable(api, headers, `**${status}** headers`))
    details.push(...linkBlocks(api, response['links'], status))
    if (isTable(response['examples']))
      details.push(...exampleBlocks(api, valuesOf(response['examples'])))
    const about = [api.text(response['summary']), describeInCell(api.text(response['description']))]
    return [
      status,
      [...new Set(types)].filter(Boolean).join(' or '),
      about.filter(Boolean).join(' '),
    ]
  })
  const table = tableBlock(['Status', 'Type', 'Description'], rows)
  return table.length > 0 ? [...textBlock('**Responses**'), ...table, ...details] : []
}

/** The examples of Swagger 2 as those of OpenAPI 3. */
const valuesOf = (examples: Table): Table =>
  Object.fromEntries(Object.entries(examples).map(([type, value]) => [type, { value }]))

/** Operations that a response leads to. */
function linkBlocks(api: ApiDocument, links: unknown, status: string): Block[] {
  const rows = entriesIn(links).map(([name, value]) => {
    const { operationId, operationRef, parameters, requestBody, description } = api.resolve(value)
    const given = [parameters, requestBody].filter((each) => each !== undefined)
    const target = operationId ?? (operationRef && nameOfReference(String(operationRef)))
    const values = given.map((each) => `\`${jsonOf(each, 500)}\``).join(' ')
    return [`\`${name}\``, joined(target), values, describeInCell(api.text(description))]
  })
  const table = tableBlock(['Name', 'Operation', 'With', 'Description'], rows)
  return table.length > 0 ? [...textBlock(`**${status}** links`), ...table] : []
}
