export { type AddOptions, type AddResult, addServer } from './add-server.ts'
export type {
  ClientConfig,
  ConfigLocation,
  HostEnvironment,
  Scope,
} from './clients/client-config.ts'
export { type ClientName, clientNames, clients, isClientName } from './clients/clients.ts'
export { matchingLocations } from './clients/matching-locations.ts'
export { describeAdded } from './describe-added.ts'
export { type Launch, type LaunchOptions, launchOf } from './launch.ts'
export { readClientName } from './read-client-name.ts'
export { SetupError, type SetupErrorCode } from './setup-error.ts'
