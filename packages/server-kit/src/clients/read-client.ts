import { AddError } from './add-error.ts'
import { clientNames, findClient } from './all-clients.ts'
import type { Client } from './entries/client.ts'

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
