import { createKeychain, secretsIn, secretsInArgs } from '@pith-mcp/aggregator'
import { hostEnvironment as baseEnvironment } from '@pith-mcp/server-kit/clients'
import { stateFolder } from '../config.ts'
import { isInClear } from '../config-file/mask.ts'
import { stateRisks } from '../config-file/state-risks.ts'
import { createSecretStore } from '../secrets/secret-store.ts'
import { configVariable } from '../settings.ts'
import { packageName } from './package-name.ts'

/** The environment of this process, for finding clients and importing from them. */
export const hostEnvironment = () => ({
  ...baseEnvironment(process.env),
  now: () => new Date(),
  main: process.argv[1] ?? '',
  packageName,
  configVariable,
  isInClear,
  risksOf: (entry: object) => stateRisks(entry, stateFolder(process.env)),
  secretsIn,
  secretsInArgs,
  secrets: createSecretStore(createKeychain(), stateFolder(process.env)),
})
