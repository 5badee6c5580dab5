import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, ownCommands, type ServerNeeds } from '@pith-mcp/server-kit/clients'
import { FileRefused, readText } from '@pith-mcp/server-kit/files'
import { addOptions, flagsToAdd, readSettings, UsageError } from '@pith-mcp/server-kit/settings'
import { packageName } from '../import/entry/own-entry.ts'
import { needsOf } from '../import/plan/own-file.ts'
import { settings } from '../settings.ts'
import { asSentence } from '../text-of.ts'
import type { CommandContext } from './command.ts'
import { guide } from './guide.ts'

const { add, remove } = ownCommands({ defaultName: 'pith', packageName, guide }, process.env)

/** `add CLIENT`: add the aggregator to an MCP client. @throws {UsageError} */
export async function addClient(client: Client, context: CommandContext): Promise<number> {
  const { values, printText, log } = context
  const flags = readSettings(addOptions, { flags: values })
  const files = context.settings.config.map((file) => resolve(file))
  // A folder's file is shared, so it does not name the default configuration of one user. Other files
  // name it: a client may run with other XDG_* variables.
  const isShared = !flags.user && client.scope === 'folder'
  const defaultFile = join(homedir(), '.config', 'pith', 'aggregator.json')
  const named = files.filter((file) => !isShared || file !== defaultFile)
  const { needs, missing } = await readNeeds(files)
  const args = [...named.flatMap((file) => ['--config', file]), ...flagsOf(values)]
  printText(await add({ ...flags, client, needs }, () => args))
  for (const file of missing)
    log(`${file} does not exist yet. Run aggregator-mcp import, or add NAME, to create it.`)
  return 0
}

/** `remove CLIENT`: take out what `add` wrote. @throws {UsageError} */
export async function removeClient(
  client: Client,
  { values, printText }: CommandContext,
): Promise<number> {
  printText(await remove({ ...readSettings(addOptions, { flags: values }), client }))
  return 0
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

/** The options of serving, as command line arguments. */
function flagsOf(values: Readonly<Record<string, unknown>>): string[] {
  const { state } = values
  return flagsToAdd(settings, {
    ...values,
    ...(typeof state === 'string' && { state: resolve(state) }),
  })
}
