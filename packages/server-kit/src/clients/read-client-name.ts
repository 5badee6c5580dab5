import { type ClientName, clientNames, isClientName } from './all-clients.ts'
import { SetupError } from './setup-error.ts'

/** Parses a client name of the command line. @throws {SetupError} */
export function readClientName(name: string | undefined): ClientName {
  const known = clientNames.join(', ')
  if (name === undefined) throw new SetupError('unknown_client', `Name a client: ${known}.`)
  if (isClientName(name)) return name
  throw new SetupError(
    'unknown_client',
    `There is no client ${JSON.stringify(name)}. Clients: ${known}.`,
  )
}
