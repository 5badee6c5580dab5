import { z } from 'zod'
import { basePath } from './answer-operation.ts'
import type { Api, ApiOperation } from './api.ts'
import { problem } from './problem.ts'
import { signedIn, signIn } from './sign-in.ts'

type Json = Record<string, unknown>

/** The events of `GET /events`, by name. */
const eventsOf = ({ line, server, changes }: Api['events']) => ({
  hello: z.object({ version: z.string(), startedAt: z.string() }).meta({ id: 'HelloEvent' }),
  lines: z
    .object({
      lines: z.array(line),
      skipped: z.int().describe('How many lines were dropped, because there were too many.'),
      calls: z.int().describe('Tool calls since the last event.'),
    })
    .meta({ id: 'LinesEvent' }),
  servers: z
    .object({ servers: z.array(server).describe('The servers that changed.') })
    .meta({ id: 'ServersEvent' }),
  changed: z.object({ what: z.array(z.enum(changes)) }).meta({ id: 'ChangedEvent' }),
})

type Events = ReturnType<typeof eventsOf>

/** The description of the API, as OpenAPI 3.1. */
export function openApi(api: Pick<Api, 'version' | 'operations' | 'events'>): Json {
  const { version, operations } = api
  const events = eventsOf(api.events)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = `${basePath}${operation.path}`
    paths[path] = { ...paths[path], [operation.method]: describe(operation) }
  }
  paths[`${basePath}/session`] = { ...paths[`${basePath}/session`], ...sessionPaths }
  paths[`${basePath}/events`] = { get: eventsPath(events) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'aggregator-mcp',
      version,
      description:
        'Inspect and control an aggregator. Reading requires the scope console:read, everything else the scope console, and what says so the scope console:admin. Request bodies are JSON. Writes from browsers must be same-origin.',
    },
    paths,
    components: {
      schemas: componentSchemas(operations, events),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'pith_console_<port>' },
        proof: { type: 'apiKey', in: 'header', name: 'x-pith-proof' },
      },
    },
    security: [{ bearer: [] }, { session: [], proof: [] }],
  }
}

function describe(operation: ApiOperation): Json {
  const { method, path, tag, summary, query, body, answer, scope } = operation
  const words = path.split('/').flatMap((part) => part.split(/[{}-]/).filter(Boolean))
  return {
    operationId: [method, ...words].join('_'),
    tags: [tag],
    summary: scope === undefined ? summary : `${summary} Requires the scope ${scope}.`,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body && { requestBody: { required: true, content: json(body, 'input') } }),
    responses: {
      ...(answer
        ? { 200: { description: 'Success.', content: json(answer, 'output') } }
        : { 204: { description: 'Success.' } }),
      default: failed,
    },
  }
}

const failed = {
  description: 'An error, with a remedy if there is one.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const sessionPaths: Json = {
  post: {
    operationId: 'post_session',
    tags: ['session'],
    summary:
      'Sign in with the code of a link, or with a bearer token. The reply sets a cookie and returns a proof, which each request must send in the header x-pith-proof.',
    security: [{ bearer: [] }, {}],
    requestBody: { required: true, content: json(signIn, 'input') },
    responses: {
      200: { description: 'Signed in.', content: json(signedIn, 'output') },
      default: failed,
    },
  },
  delete: {
    operationId: 'delete_session',
    tags: ['session'],
    summary: 'Sign out.',
    responses: { 204: { description: 'Signed out.' }, default: failed },
  },
}

const eventsPath = (events: Events): Json => ({
  operationId: 'get_events',
  tags: ['events'],
  summary: `A stream of Server-Sent Events with JSON data: ${Object.keys(events).join(', ')}.`,
  responses: {
    200: {
      description: 'The stream, until either side closes it.',
      content: {
        'text/event-stream': {
          schema: { anyOf: Object.values(events).map((event) => reference(event, 'output')) },
        },
      },
    },
    default: failed,
  },
})

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function json(schema: z.ZodType, io: 'input' | 'output'): Json {
  return { 'application/json': { schema: reference(schema, io) } }
}

const options = { target: 'draft-2020-12', unrepresentable: 'any' } as const

/** A $ref if the schema has a name, or else the schema itself. */
function reference(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = schema.meta()?.id
  return id === undefined ? jsonSchema(schema, io) : { $ref: `#/components/schemas/${id}` }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { ...options, io }) as Json
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

/** All named schemas: request bodies as input, everything else as output. */
function componentSchemas(
  operations: readonly ApiOperation[],
  events: Events,
): Record<string, Json> {
  const byId = new Map<string, Json>()
  const take = (schema: z.ZodType | undefined, io: 'input' | 'output'): void => {
    if (schema === undefined) return
    const { $defs = {} } = z.toJSONSchema(z.object({ schema }), { ...options, io }) as {
      $defs?: Record<string, Json>
    }
    for (const [id, { id: _, ...definition }] of Object.entries($defs))
      if (!byId.has(id)) byId.set(id, definition)
  }
  for (const { body } of operations) take(body, 'input')
  take(signIn, 'input')
  take(signedIn, 'output')
  for (const { answer } of operations) take(answer, 'output')
  for (const event of Object.values(events)) take(event, 'output')
  take(problem, 'output')
  const text = JSON.stringify(Object.fromEntries([...byId].sort(([a], [b]) => (a < b ? -1 : 1))))
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Record<string, Json>
}
