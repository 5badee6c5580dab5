export interface Parameter {
  name: string
  type: string
  isRequired: boolean
  description: string
}

type Shape = Record<string, unknown>

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null

/** The top-level parameters of a JSON schema, at most 200. */
export function readParameters(schema: unknown): Parameter[] {
  if (!isShape(schema) || !isShape(schema['properties'])) return []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties'])
    .slice(0, 200)
    .map(([name, value]) => ({
      name,
      type: typeOf(value, 0),
      isRequired: required.has(name),
      description:
        isShape(value) && typeof value['description'] === 'string' ? value['description'] : '',
    }))
}

function typeOf(schema: unknown, depth: number): string {
  if (!isShape(schema) || depth > 3) return 'any'
  if (Array.isArray(schema['enum']))
    return schema['enum']
      .slice(0, 12)
      .map((value) => JSON.stringify(value))
      .join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const']) ?? 'any'
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices))
    return choices
      .slice(0, 6)
      .map((choice) => typeOf(choice, depth + 1))
      .join(' | ')
  const { type } = schema
  if (type === 'array') return `${typeOf(schema['items'], depth + 1)}[]`
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : 'any'
}
