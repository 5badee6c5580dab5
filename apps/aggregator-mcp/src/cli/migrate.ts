import { UsageError } from '@pith-mcp/server-kit/settings'
import { migrateDatabase } from '../engines/engines.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp migrate

Create or update the tables of the database of PITH_DATABASE_URL. A replica does this at its start if its
role may; run it before an update otherwise. Running replicas go on.`,
  options: {},
  async run({ settings: { databaseUrl }, print }) {
    if (databaseUrl === undefined)
      throw new UsageError('migrate: Set PITH_DATABASE_URL to the database.')
    const applied = await migrateDatabase(databaseUrl).catch((error: Error) => {
      throw new UsageError(`migrate: ${error.message}`)
    })
    print(applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The database is up to date.')
    return 0
  },
}
