import type { z } from 'zod'
import { boundOf } from '#base/bound-of'
import { typeWords } from '../protocol/type-words.ts'

/** What a setting must be, such as `must be a number`; replaces the messages of the schema library. */
export const schemaMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${typeWords[issue.expected] ?? issue.expected}`
    case 'too_small':
      return boundOf(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)
    case 'too_big':
      return boundOf(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an http or https URL' : 'is not valid'
    case 'unrecognized_keys':
      return `has unknown keys: ${issue.keys.join(', ')}`
    default:
      return 'has the wrong type'
  }
}
