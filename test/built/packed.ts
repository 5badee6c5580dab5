import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inject } from 'vitest'
import type { Packed } from './pack-once.ts'

/** What was packed and installed for all files of this project. */
export const packed: Packed = inject('packed')

export function archiveOf(name: string): string {
  const found = readdirSync(packed.archives).find(
    (file) => /^pith-mcp-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(file)?.[1] === name,
  )
  if (!found) throw new Error(`${name} was not packed`)
  return join(packed.archives, found)
}

/** The environment of someone who has that Node first on the path. */
export const environmentWith = (folder = ''): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  PATH: `${folder}${delimiter}${process.env['PATH']}`,
})
