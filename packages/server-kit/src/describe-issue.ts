import type { z } from 'zod'
import { boundOf } from '#base/bound-of'

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
      return boundOf(issue.origin, issue.inclusive ? 'at least' : 'above', issue.minimum)
    case 'too_big':
      return boundOf(issue.origin, issue.inclusive ? 'at most' : 'below', issue.maximum)
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

/** A value in a message: JSON, cut if it is long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text
}
