import { UsageError } from '@pith-mcp/server-kit/settings'
import { amount, count } from '@pith-mcp/server-kit/tools'
import type { Config } from '../config.ts'
import { openCode } from '../open-code.ts'
import { existingRoots } from '../roots.ts'

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** `index [folder …]`: fill the index of the folders, or remove it. @throws {UsageError} */
export async function indexFolders(config: Config): Promise<string> {
  const { positionals, roots, settings, remove } = config
  const folders = existingRoots([...positionals, ...roots], process.env)
  const code = await openCode(settings, folders, { fillsIndex: !remove })
  try {
    if (remove) {
      const removed = await code.removeIndex()
      return removed > 0 ? `Removed the index: ${megabytes(removed)}.` : 'There is no index.'
    }
    let rest = 0
    const size = await code.index((done, total) => {
      rest = total - done
      process.stderr.write(`${count(done)} of ${count(total)} files\n`)
    })
    if (size === undefined)
      throw new UsageError(
        'There is no index: it is off, its folder cannot be written, or this Node has no SQLite.',
      )
    return rest > 0
      ? `${amount(rest, 'file')} could not be indexed and will be searched as bytes. The index has ${megabytes(size)}.`
      : `The index is whole: ${megabytes(size)}.`
  } finally {
    await code.close()
  }
}
