import { clientNames, findClient } from './all-clients.ts'
import type { Client } from './client.ts'
import { SetupError } from './setup-error.ts'

/** The client that the command line names. @throws {SetupError} */
export function readClient(name: string | undefined): Client {
  const known = clientNames.join(', ')
  if (name === undefined) throw new SetupError('unknown_client', `Name a client: ${known}.`)
  const client = findClient(name)
  if (client !== undefined) return client
  throw new SetupError(
    'unknown_client',
    `There is no client ${JSON.stringify(name)}. Clients: ${known}.`,
  )
}
