import { surroundingsHere as filesHere } from '@pith-mcp/setup'
import type { Surroundings } from './client.ts'

/** Those of this very process. */
export const surroundingsHere = (): Surroundings => ({
  ...filesHere(),
  now: () => new Date(),
  main: process.argv[1] ?? '',
})
