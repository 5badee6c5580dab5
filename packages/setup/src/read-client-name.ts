import { type ClientName, clientNames, isClientName } from './clients/clients.ts'
import { SetupError } from './setup-error.ts'

/** A client by its name on a command line. @throws {SetupError} */
export function readClientName(name: string | undefined): ClientName {
  const known = clientNames.join(', ')
  if (name === undefined) throw new SetupError('unknown_client', `name a client: ${known}.`)
  if (isClientName(name)) return name
  throw new SetupError('unknown_client', `there is no client ${JSON.stringify(name)}: ${known}.`)
}
