import { diffOf } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { component } from './operation.ts'

export const definitionChange = component('DefinitionChange', {
  part: z.string().describe('A member of the definition, "parameter" or "annotation".'),
  name: z.string().optional().describe('Of the parameter or annotation.'),
  kind: z.enum(['added', 'removed', 'changed']),
  lines: z.array(z.string()).describe('As in the diff.'),
})

type Change = z.input<typeof definitionChange>
type Json = Readonly<Record<string, unknown>>

/** The differences between two versions of a definition, by the part that they are in. */
export function changesOf(before: Json, after: Json): Change[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  return [...new Map([...now, ...old])].flatMap(([key, { part, name }]): Change[] => {
    const [was, is] = [old.get(key)?.value, now.get(key)?.value]
    const label = name ?? part
    if (was === undefined)
      return [{ part, name, kind: 'added', lines: diffOf(undefined, { [label]: is }) }]
    if (is === undefined) {
      const lines = diffOf(undefined, { [label]: was }).map((line) => line.replace('+', '-'))
      return [{ part, name, kind: 'removed', lines }]
    }
    const lines = diffOf({ [label]: was }, { [label]: is })
    return lines.length > 0 ? [{ part, name, kind: 'changed', lines }] : []
  })
}

/** The members of a definition, its parameters and its annotations. */
function partsOf({ inputSchema, annotations, ...others }: Json) {
  const { properties, required, ...form }: Json = isObject(inputSchema) ? inputSchema : {}
  const parameters = isObject(properties) ? properties : {}
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const strays = names.filter((name) => !Object.hasOwn(parameters, String(name)))
  const members = {
    ...others,
    inputSchema: isObject(inputSchema) ? { ...form, required: strays } : inputSchema,
    ...(!isObject(annotations) && { annotations }),
  }
  const parts: { part: string; name?: string; value: unknown }[] = [
    ...Object.entries(members).map(([part, value]) => ({ part, value })),
    ...Object.entries(parameters).map(([name, schema]) => {
      const value = isObject(schema) ? schema : { schema }
      return { part: 'parameter', name, value: { ...value, required: names.includes(name) } }
    }),
    ...Object.entries(isObject(annotations) ? annotations : {}).map(([name, value]) => ({
      part: 'annotation',
      name,
      value,
    })),
  ]
  return new Map(parts.map((entry) => [JSON.stringify([entry.part, entry.name]), entry]))
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
