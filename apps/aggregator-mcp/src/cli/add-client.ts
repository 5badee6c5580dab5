import { existsSync } from 'node:fs'
import { type Client, ownCommands } from '@pith-mcp/server-kit/clients'
import { yesAsker } from '@pith-mcp/server-kit/run'
import { addOptions, readSettings } from '@pith-mcp/server-kit/settings'
import { entryOptions } from '../clients/entry-options.ts'
import { guide } from '../clients/guide.ts'
import { packageName } from '../clients/package-name.ts'
import type { CommandContext } from './command.ts'
import { reviewServers } from './review.ts'

const { add, remove, setup } = ownCommands({ defaultName: 'pith', packageName, guide }, process.env)

/** `add CLIENT`: add the aggregator to an MCP client. @throws {UsageError} */
export async function addClient(client: Client, context: CommandContext): Promise<number> {
  const { settings, values, printText, log } = context
  const flags = readSettings(addOptions, { flags: values })
  const isShared = !flags.user && client.scope === 'folder'
  const { needs, missing, args } = await entryOptions(settings.config, values, isShared)
  printText(await add({ ...flags, client, needs }, () => args))
  for (const file of missing)
    log(`${file} does not exist yet. Run aggregator-mcp import, or add NAME, to create it.`)
  return 0
}

/** `setup`: add the aggregator to all clients of this computer. @throws {UsageError} */
export async function setUpClients(context: CommandContext): Promise<number> {
  const { settings, values, printText } = context
  const { needs, args } = await entryOptions(settings.config, values)
  const flags = readSettings(addOptions, { flags: values })
  const json = values['json'] === true
  const { text, isOk } = await setup({ ...flags, needs, json, ask: yesAsker() }, () => args)
  printText(text)
  const isWritten = isOk && !json && values['write'] === true
  if (isWritten && values['no-review'] !== true && settings.config.every(existsSync))
    await reviewServers(undefined, context, true)
  return isOk ? 0 : 1
}

/** `remove CLIENT`: take out what `add` wrote. @throws {UsageError} */
export async function removeClient(
  client: Client,
  { values, printText }: CommandContext,
): Promise<number> {
  printText(await remove({ ...readSettings(addOptions, { flags: values }), client }))
  return 0
}
