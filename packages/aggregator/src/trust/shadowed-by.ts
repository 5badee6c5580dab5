import type { ServerConfig } from '../config/server-config.ts'
import { plainName } from '../names/plain-name.ts'

const separators = ['__', '.', '/', ':']

/**
 * The other server a tool passes itself off as: its name begins with that of the server and what
 * stands between the names of servers and tools.
 */
export function shadowedBy(tool: string, others: readonly ServerConfig[]): string | undefined {
  const folded = tool.normalize('NFKC').trim()
  for (const separator of separators) {
    const at = folded.indexOf(separator)
    if (at <= 0) continue
    const before = plainName(folded.slice(0, at))
    const other = others.find(({ name }) => plainName(name) === before)
    if (other !== undefined && before !== '') return other.name
  }
  return undefined
}
