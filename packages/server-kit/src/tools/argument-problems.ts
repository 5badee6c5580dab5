import type { z } from 'zod'
import { problemText, quote, requirement } from '../describe-issue.ts'

type Issue = z.core.$ZodIssue

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
