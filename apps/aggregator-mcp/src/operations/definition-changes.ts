import { diffOf } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { component } from './operation.ts'

export const definitionChange = component('DefinitionChange', {
  part: z.string().describe('A member such as "description", "parameter NAME", "annotation NAME".'),
  kind: z.enum(['added', 'removed', 'changed']),
  lines: z.array(z.string()).describe('As in the diff.'),
})

type Json = Readonly<Record<string, unknown>>

/** The differences between two versions of a definition, by the part that they are in. */
export function changesOf(before: Json, after: Json): z.input<typeof definitionChange>[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((part) => {
    const [was, is] = [old.get(part), now.get(part)]
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    const lines = diffOf(was, is)
    return lines.length > 0 ? [{ part, kind, lines }] : []
  })
}

function partsOf({ inputSchema, annotations, ...members }: Json): Map<string, Json> {
  const { properties, ...form }: Json = Object(inputSchema)
  const entriesOf = (prefix: string, values: unknown) =>
    Object.entries(Object(values)).map(
      ([name, value]) => [prefix + name, { [name]: value }] as const,
    )
  return new Map([
    ...entriesOf('', { ...members, inputSchema: form }),
    ...entriesOf('parameter ', properties),
    ...entriesOf('annotation ', annotations),
  ])
}
