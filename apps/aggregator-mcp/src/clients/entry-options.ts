import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { needsOf } from '@pith-mcp/import'
import type { ServerNeeds } from '@pith-mcp/server-kit/clients'
import { FileRefused, readText } from '@pith-mcp/server-kit/files'
import { flagsToAdd, UsageError } from '@pith-mcp/server-kit/settings'
import { settings } from '../settings.ts'

/**
 * The arguments with which a client starts the aggregator, and what its entry must provide. A folder's
 * file is shared, so it does not name the default configuration of one user. Other files name it: a
 * client may run with other XDG_* variables. `values` are those of flags. @throws {UsageError}
 */
export async function entryOptions(
  config: readonly string[],
  values: Readonly<Record<string, unknown>>,
  isShared = false,
) {
  const files = config.map((file) => resolve(file))
  const defaultFile = join(homedir(), '.config', 'pith', 'aggregator.json')
  const named = files.filter((file) => !isShared || file !== defaultFile)
  const { state } = values
  const flags = flagsToAdd(settings, {
    ...values,
    ...(typeof state === 'string' && { state: resolve(state) }),
  })
  return {
    ...(await readNeeds(files)),
    args: [...named.flatMap((file) => ['--config', file]), ...flags],
  }
}

/** What an entry must provide for the servers of these files. */
async function readNeeds(
  files: readonly string[],
): Promise<{ needs: ServerNeeds; missing: string[] }> {
  const all: ServerNeeds[] = [needsOf(undefined, {})]
  const missing: string[] = []
  for (const file of files)
    try {
      const read = await readText(file)
      if (read === undefined) missing.push(file)
      else all.push(needsOf(read.text, {}))
    } catch (error) {
      if (error instanceof FileRefused)
        throw new UsageError(`${file}: ${asSentence(error.message)}`)
      throw error
    }
  const variables = [...new Set(all.flatMap((one) => one.variables))].sort()
  const timeoutSeconds = Math.max(...all.map((one) => one.timeoutSeconds))
  return { needs: { variables, timeoutSeconds }, missing }
}
