import type { Database } from '@pith-mcp/docs'

interface OwnDatabase extends Database {
  /** Resolves when the tables are there. Rejects with the error of the database. */
  ready(): Promise<unknown>
  close(): Promise<void>
}

/**
 * Opens the database that replicas share. Its tables are created or changed at once, or when it can
 * be used.
 * @throws {UsageError} for an invalid URL, or without the package pg
 */
export async function openOwnDatabase(
  url: string,
  onNotice: (text: string) => void,
): Promise<OwnDatabase> {
  const { migrate, openDatabase } = await import('@pith-mcp/server-kit/database')
  const { migrationSteps } = await import('@pith-mcp/docs')
  const database = await openDatabase(url, { name: 'docs-mcp', onLog: onNotice })
  let migrating: Promise<unknown> | undefined
  const ready = (): Promise<unknown> => {
    migrating ??= migrate(database, 'docs-mcp', migrationSteps).catch((error: unknown) => {
      migrating = undefined
      throw error
    })
    return migrating
  }
  // A failure is reported by the health of the database, and repeated with the next statement.
  void ready().catch(() => {})
  return {
    ready,
    query: async (text, values) => {
      await ready()
      return database.query(text, values)
    },
    transaction: async (work) => {
      await ready()
      return database.transaction(work)
    },
    close: () => database.close(),
  }
}
