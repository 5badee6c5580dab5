import { userInfo } from 'node:os'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { withState } from '../open/open-state.ts'
import { recordAdmin } from '../open/record-admin.ts'
import { readConfigFiles } from '../read-config-files.ts'

/** Run a command that changes something, and write it to the journal of the configuration. */
export async function recordCommand(
  tool: string,
  settings: Settings,
  log: Log,
  run: () => Promise<number>,
): Promise<number> {
  // The command may be the one that creates or repairs the configuration.
  const config = await readConfigFiles(settings).catch(() => undefined)
  // In a container, a user may have no name.
  const caller = `user:${process.getuid?.() ?? userInfo().username}`
  return withState(settings, config?.settings.journal, log, async (state) => {
    const journal = state.openJournal()
    try {
      return await recordAdmin({ caller, via: 'cli', tool }, { journal, settings, state }, run)
    } finally {
      await journal.close()
    }
  })
}
