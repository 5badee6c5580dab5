import { z } from 'zod'

export const importOptions = z
  .object({
    clients: z.array(z.string()).max(20).optional().describe('Only these; all if absent.'),
    copy: z.boolean().default(false).describe('Into our file only; clients are left alone.'),
  })
  .meta({ id: 'ImportOptions' })

export const importReport = z
  .object({
    isDone: z.boolean().describe('All of it; else the text says what is not.'),
    text: z.string().describe('What aggregator-mcp import prints.'),
  })
  .meta({ id: 'ImportReport' })
