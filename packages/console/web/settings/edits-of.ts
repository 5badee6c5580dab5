import { isTable, sameData } from '@pith-mcp/base/table'
import type { Schemas } from '../api/schemas.ts'

export type ValueEdit = Schemas['ConfigEdits']['edits'][number]

/**
 * The values that differ, by their paths below `path`. Members of objects are compared one by one,
 * lists and all other values as a whole; what is new is one edit.
 */
export function editsOf(path: readonly string[], before: unknown, after: unknown): ValueEdit[] {
  if (sameData(before, after)) return []
  if (after === undefined) return [{ path: [...path] }]
  if (!isTable(before) || !isTable(after)) return [{ path: [...path], value: after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => editsOf([...path, key], before[key], after[key]))
}

/** Without members that have no value or are empty, which fields of a form leave behind. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(itemWithoutEmpty)
  if (!isTable(value)) return value
  const members = Object.entries(value).flatMap(([key, item]) => {
    const next = withoutEmpty(item)
    const isEmpty = isTable(next) && Object.keys(next).length === 0
    return next === undefined || isEmpty ? [] : [[key, next] as const]
  })
  return Object.fromEntries(members)
}

/** Only its own members: deeper in a rule, `{}` is a condition. */
function itemWithoutEmpty(item: unknown): unknown {
  if (!isTable(item)) return item
  const isEmpty = (value: unknown) =>
    isTable(value) && Object.values(value).every((member) => member === undefined)
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)))
}

/** Marks the texts that are stored as secrets; those within a new object become edits. */
export function withSecrets(
  edits: readonly ValueEdit[],
  secretPaths: ReadonlySet<string>,
): ValueEdit[] {
  return edits.flatMap((edit) => {
    const { path, value } = edit
    if (secretPaths.has(path.join('\n'))) return [{ ...edit, isSecret: true }]
    const secrets = [...secretPaths].filter((key) => key.startsWith(`${path.join('\n')}\n`))
    if (secrets.length === 0) return [edit]
    const rest = structuredClone(value)
    const inner = secrets.map((key) => {
      const at = key.split('\n')
      return { path: at, value: takeMember(rest, at.slice(path.length)), isSecret: true }
    })
    return [{ path, value: rest }, ...inner]
  })
}

/** Removes a member of nested objects. Returns its value. */
function takeMember(root: unknown, path: readonly string[]): unknown {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root)
  const key = path.at(-1) ?? ''
  const members = holder as Record<string, unknown>
  const value = members[key]
  delete members[key]
  return value
}
