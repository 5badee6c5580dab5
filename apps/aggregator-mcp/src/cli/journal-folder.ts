import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import { journalFolderOf } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { sinceMs } from '../since.ts'

/** The folder of the journal. @throws {UsageError} if it is disabled */
export async function journalFolder(settings: Settings, command: string): Promise<string> {
  const config = await readConfigFiles(settings.config)
  const folder = journalFolderOf(config.settings.journal, settings.state)
  if (folder === undefined) throw new UsageError(`${command}: The journal is disabled.`)
  return folder
}

/** The time that an option names, in the journal's format. @throws {UsageError} */
export function timeOf(text: string | undefined, option: string): string | undefined {
  if (text === undefined) return undefined
  const ms = sinceMs(text)
  if (ms !== undefined) return new Date(Date.now() - ms).toISOString()
  throw new UsageError(
    `${option} must be a time such as 7d, 24h, 30m or 2026-11-01, got "${text}".`,
  )
}
