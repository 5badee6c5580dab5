import { AggregatorError } from '#servers/protocol/aggregator-error'
import { badArgument } from '#servers/protocol/bad-argument'
import { validateArguments } from '#servers/protocol/json-schema'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { signatureOf } from '../../catalog/signature.ts'

/** Characters. Longer schemas are not part of the error; `get_module_schema` returns them. */
const maxSchemaLength = 4_000

/**
 * Checks the parameters of a tool against its schema. Parameters for which `isPending` is true are
 * not known yet, and are checked when they are.
 * @throws {AggregatorError} `bad_argument`, with the schema
 */
export function validateParams(
  args: unknown,
  tool: CatalogTool,
  isPending?: (value: unknown) => boolean,
): JsonObject {
  if (!isJsonObject(args))
    throw badArgument('params', args, 'an object with the parameters of the tool')
  const schema = tool.definition['inputSchema']
  const fault = isPending ? faultOfKnown(args, schema, isPending) : validateArguments(args, schema)
  if (fault !== undefined) throw wrongArguments(tool, fault)
  return args
}

function faultOfKnown(
  args: JsonObject,
  schema: unknown,
  isPending: (value: unknown) => boolean,
): string | undefined {
  const values = Object.fromEntries(Object.entries(args).filter(([, value]) => !isPending(value)))
  const { required } = isJsonObject(schema) ? schema : {}
  const missing = (Array.isArray(required) ? required : []).filter(
    (key) => !Object.hasOwn(args, key),
  )
  if (missing.length > 0)
    return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
  return validateArguments(values, isJsonObject(schema) ? propertiesOf(schema) : schema)
}

/** The schema without constraints between properties. */
const propertiesOf = oncePer((schema: JsonObject): JsonObject => {
  const { properties, additionalProperties, $defs, definitions } = schema
  const only = { type: 'object', properties, additionalProperties, $defs, definitions }
  return Object.fromEntries(Object.entries(only).filter(([, value]) => value !== undefined))
})

function wrongArguments({ server, name, definition }: CatalogTool, fault: string): AggregatorError {
  const schema = JSON.stringify(definition['inputSchema'])
  return new AggregatorError(
    'bad_argument',
    `The params of ${server.name}.${name} are not valid: ${fault.slice(0, 1_000)}. Nothing was called.`,
    schema.length <= maxSchemaLength
      ? `Its schema: ${schema}`
      : `Call it as ${signatureOf(name, definition)}; get_module_schema(${JSON.stringify({ module: server.name, tools: [name] })}) returns the schema.`,
  )
}
