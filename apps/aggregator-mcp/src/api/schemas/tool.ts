import { z } from 'zod'

export const toolSummary = z
  .object({
    server: z.string(),
    name: z.string().describe('As clients call it.'),
    title: z.string().optional(),
    summary: z.string().describe('The first sentence of the description.'),
    signature: z.string().describe('Name and parameters in one line; * for required.'),
    tokens: z.int().describe('Of its definition, as a list of tools would hold it.'),
    isReadOnly: z.boolean().describe('It says that it changes nothing.'),
    isDestructive: z.boolean().describe('It says that it may destroy something.'),
    absent: z.string().optional().describe('Why it cannot be called, and what to do about it.'),
  })
  .meta({ id: 'ToolSummary' })

const definition = z
  .record(z.string(), z.unknown())
  .describe('As the server gave it: name, description, inputSchema, outputSchema, annotations.')

export const toolDetail = toolSummary
  .extend({
    definition,
    accounts: z.array(z.string()).describe('The default first; empty without accounts.'),
  })
  .meta({ id: 'ToolDetail' })

export const toolCall = z
  .object({
    server: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    account: z.string().optional(),
  })
  .meta({ id: 'ToolCall' })

export const toolOutcome = z
  .object({
    result: z.record(z.string(), z.unknown()).describe('As a client would get it, in pages.'),
    isError: z.boolean(),
    ms: z.number(),
    tokens: z.int(),
  })
  .meta({ id: 'ToolOutcome' })

export const toolSearch = z
  .object({
    query: z.string().min(1).max(2_000),
    server: z.string().optional(),
    tags: z.array(z.string()).optional(),
    read_only: z.boolean().optional(),
    limit: z.int().min(1).max(50).optional(),
  })
  .meta({ id: 'ToolSearch' })

export const toolSearchAnswer = z
  .object({ text: z.string().describe('What search_tools says to a model.'), tokens: z.int() })
  .meta({ id: 'ToolSearchAnswer' })
