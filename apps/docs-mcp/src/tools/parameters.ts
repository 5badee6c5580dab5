import { z } from 'zod'

/** Parameters that several tools share, described once. */
export const url = z.string().describe('Page URL or path; a #fragment may name the section')
export const includeCodeBlocks = z.boolean().default(false).describe('Code in full')
export const maxLength = z
  .number()
  .default(5000)
  .describe('Characters at most; 0 = as many as allowed')
export const page = z.string().optional().describe('Token from the previous reply, to go on')
