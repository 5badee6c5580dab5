import { z } from 'zod'
import { names } from './tool-rules.ts'

/** What is done to the results of a server's tools. By default: nothing. */
export const resultSettings = z.strictObject({
  schema: z
    .enum(['warn', 'refuse'])
    .optional()
    .describe('What happens to a result that does not match the output schema of its tool.'),
  invisible: z
    .literal('strip')
    .optional()
    .describe('Remove invisible characters, and say how many there were.'),
  fence: names
    .optional()
    .describe('Patterns of names of tools whose texts are put between <server-text> tags.'),
  select: z
    .record(z.string().min(1), z.union([z.string().min(1), names.min(1)]))
    .optional()
    .describe(
      'What results hold by patterns of names of tools, unless the call selects: fields, or a JSONPath.',
    ),
})
