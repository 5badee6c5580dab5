import { UsageError } from '../settings/read-settings.ts'
import { AddError, type AddErrorCode } from './add-error.ts'
import type { AddResult } from './add-server.ts'
import { clientNames, findClient } from './all-clients.ts'
import type { Client } from './entries/client.ts'

/** Runs `add <client>` of a command line, and describes the result. @throws {UsageError} */
export async function runAdd(add: () => Promise<AddResult>): Promise<string> {
  try {
    return describeAdded(await add())
  } catch (error) {
    if (error instanceof AddError) throw new UsageError(`add: ${describeAddError(error)}`)
    throw error
  }
}

/** Describes the result for the user. */
export function describeAdded({ client, name, path, text, change, backup }: AddResult): string {
  if (change === 'printed') return `${path}\n\n${text}`
  if (change === 'there') return `${path} already has the server ${name}.`
  const kept = backup === undefined ? '' : ` The previous file is ${backup}.`
  return `${path}: ${change} ${name}.${kept}\nRestart ${client.title} to use it.`
}

/** What to do about an error, in the options of `add`. */
const remedies: Readonly<Partial<Record<AddErrorCode, string>>> = {
  no_location: 'Pass --user to add it for all folders.',
  name_taken: 'Pass another --name, or --force to replace it.',
  file_changed: 'Try again.',
}

/** What is wrong, and what the user of a command line can do about it. */
export function describeAddError({ code, message }: AddError): string {
  const remedy = remedies[code]
  return remedy === undefined ? message : `${message} ${remedy}`
}

/** The client that the command line names. @throws {AddError} */
export function readClient(name: string | undefined): Client {
  const known = clientNames.join(', ')
  if (name === undefined) throw new AddError('unknown_client', `Name a client: ${known}.`)
  const client = findClient(name)
  if (client !== undefined) return client
  throw new AddError(
    'unknown_client',
    `There is no client ${JSON.stringify(name)}. Clients: ${known}.`,
  )
}
