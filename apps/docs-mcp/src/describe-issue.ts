import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}
const typeName = (name: string): string => typeNames[name] ?? `of the type ${name}`

/** What a value must be, to follow its name: `must be a number`. */
export function requirement(issue: Issue | undefined): string {
  if (!issue) return 'is not valid'
  // A message that a schema of ours states.
  if (issue.message.startsWith('must ')) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue.expected)}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'invalid_union':
      return `must be ${issue.errors.flatMap(expectedTypes).join(' or ')}`
    case 'too_small':
      if (issue.origin === 'string') return `must have at least ${issue.minimum} characters`
      return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
      return `must be ${issue.inclusive ? 'at most' : 'below'} ${issue.maximum}`
    default:
      return 'is not valid'
  }
}
const expectedTypes = (issues: readonly Issue[]): string[] =>
  issues.flatMap((issue) => (issue.code === 'invalid_type' ? [typeName(issue.expected)] : []))

/** A sentence about a wrong value: `timeout must be a number, got "soon".` */
export const problemText = (name: string, issue: Issue | undefined, value: unknown): string =>
  `${name} ${requirement(issue)}, got ${quote(value)}.`

/** At most this many characters of a value are repeated in a message. */
const maxQuoted = 60

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text
}

/** Sentences about the wrong arguments of a call. */
export function argumentProblems(
  issues: readonly Issue[],
  args: unknown,
  names: readonly string[],
): string {
  return issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return unknownParameters(issue.keys, names)
      const name = issue.path.map(String).join('.')
      const value = valueAt(args, issue.path)
      if (value === undefined) return `${name} is required and ${requirement(issue)}.`
      return problemText(name, issue, value)
    })
    .join(' ')
}

function unknownParameters(keys: readonly string[], names: readonly string[]): string {
  const unknown = keys.map(quote).join(' or ')
  return `There is no parameter ${unknown}. The parameters are ${names.join(', ')}.`
}

/** The value at a path, or the innermost one on it, such as a list in a JSON string. */
function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return value
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
