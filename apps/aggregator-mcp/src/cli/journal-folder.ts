import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import { journalFolderOf } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'

/** The folder of the journal. @throws {UsageError} if it is disabled */
export async function journalFolder(settings: Settings, command: string): Promise<string> {
  const config = await readConfigFiles(settings.config)
  const folder = journalFolderOf(config.settings.journal, settings.state)
  if (folder === undefined) throw new UsageError(`${command}: The journal is disabled.`)
  return folder
}
