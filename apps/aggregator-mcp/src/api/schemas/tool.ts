import { z } from 'zod'
import { named } from './named.ts'

export const toolSummary = named('ToolSummary', {
  server: z.string(),
  name: z.string().describe('The name that clients use.'),
  title: z.string().optional(),
  summary: z.string().describe('The first sentence of the description.'),
  signature: z.string().describe('Name and parameters in one line. * marks required ones.'),
  tokens: z.int().describe('Tokens of its definition in a tool list.'),
  isReadOnly: z.boolean().describe('It is annotated as read-only.'),
  isDestructive: z.boolean().describe('It is annotated as destructive.'),
  absent: z.string().optional().describe('Why it cannot be called, and how to fix that.'),
})

const definition = z
  .record(z.string(), z.unknown())
  .describe('As the server returned it: name, description, inputSchema, outputSchema, annotations.')

export const toolDetail = toolSummary
  .extend({
    definition,
    accounts: z
      .array(z.string())
      .describe('The default account first. Empty if the server has none.'),
  })
  .meta({ id: 'ToolDetail' })

export const toolCall = named('ToolCall', {
  server: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  account: z.string().optional(),
})

export const toolOutcome = named('ToolOutcome', {
  result: z
    .record(z.string(), z.unknown())
    .describe('As a client would get it, in pages if it is long.'),
  isError: z.boolean(),
  ms: z.number(),
  tokens: z.int(),
})

export const toolSearch = named('ToolSearch', {
  query: z.string().min(1).max(2_000),
  server: z.string().optional(),
  tags: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  limit: z.int().min(1).max(50).optional(),
})

export const toolSearchAnswer = named('ToolSearchAnswer', {
  text: z.string().describe('What search_tools returns to a model.'),
  tokens: z.int(),
})
