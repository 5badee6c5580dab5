import { readClusterKey } from '@pith-mcp/replicas/engines/cluster-key'
import { migrateDatabase } from '@pith-mcp/replicas/engines/engines'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp migrate [--sign]

Create or update the tables of the database of PITH_DATABASE_URL. A replica does this at its start if
its role may; run it before an update otherwise. Running replicas go on.

  --sign  also sign the shared documents that are there with PITH_CLUSTER_KEY: once after an update
          from a version that did not, when the key is lost, or after a backup was restored. Names
          those without a signature, which are trusted from then on.`,
  options: { sign: { type: 'boolean' } },
  async run({ settings: { databaseUrl, redisUrl, clusterKey }, values, print }) {
    if (databaseUrl === undefined)
      throw new UsageError('migrate: Set PITH_DATABASE_URL to the database.')
    const key = values['sign'] === true ? readClusterKey(clusterKey) : undefined
    const { applied, signed } = await migrateDatabase(databaseUrl, key, redisUrl).catch(
      (error: Error) => {
        throw new UsageError(`migrate: ${error.message}`)
      },
    )
    print(applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The database is up to date.')
    for (const document of signed) print(`Signed: ${document}`)
    return 0
  },
}
