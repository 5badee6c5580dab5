import { existsSync } from 'node:fs'
import type { JournalReader } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { defaultConfig } from '../config.ts'
import { withState } from '../open/open-state.ts'
import { readConfigFiles } from '../read-config-files.ts'
import type { CommandContext } from './command.ts'

type Context = Pick<CommandContext, 'settings' | 'log'>

/** Opens the journal for a command. @throws {UsageError} if it is disabled */
export const withJournal = (
  context: Context,
  command: string,
  work: (journal: JournalReader) => Promise<number>,
): Promise<number> =>
  withJournalIfAny(context, (journal) => {
    if (journal === undefined) throw new UsageError(`${command}: The journal is disabled.`)
    return work(journal)
  })

/** The same; undefined if it is disabled. */
export async function withJournalIfAny(
  { settings, log }: Context,
  work: (journal: JournalReader | undefined) => Promise<number>,
): Promise<number> {
  // The journal is in the state; a configuration only says where else it may be.
  const [path = ''] = settings.config
  const isMissing = path === defaultConfig(process.env) && !existsSync(path)
  const config = isMissing ? undefined : await readConfigFiles(settings)
  return withState(settings, config?.settings.journal, log, ({ journalReader }) =>
    work(journalReader),
  )
}
