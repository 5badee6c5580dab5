import type { JournalReader } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { withState } from '../open/open-state.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { sinceMs } from '../since.ts'
import type { CommandContext } from './command.ts'

/** Opens the journal for a command. @throws {UsageError} if it is disabled */
export async function withJournal(
  { settings, log }: Pick<CommandContext, 'settings' | 'log'>,
  command: string,
  work: (journal: JournalReader) => Promise<number>,
): Promise<number> {
  const config = await readConfigFiles(settings.config)
  return withState(settings, config.settings.journal, log, ({ journalReader }) => {
    if (journalReader === undefined) throw new UsageError(`${command}: The journal is disabled.`)
    return work(journalReader)
  })
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
