import type { Database } from './database.ts'

/**
 * JSON documents that all replicas share, by kind and name. Reads are from memory: each replica has
 * all documents, and learns of changes. For small things that are read with each request.
 */
export interface Documents {
  get<T>(kind: string, name: string): T | undefined
  /** By name. */
  all<T>(kind: string): ReadonlyMap<string, T>
  /**
   * Replaces a document by what `edit` returns for the stored one, under a lock across replicas;
   * undefined deletes it. Nothing is written for the same object, or if `edit` rejects. Durable when
   * it resolves, to what is stored then.
   */
  change<T>(
    kind: string,
    name: string,
    edit: (stored: T | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>
  /** Calls `listener` after each change of a kind, also of our own. */
  onChange(kind: string, listener: (name: string) => void): void
  /** Increases with each change of a kind. */
  version(kind: string): number
  close(): void
}

/** Step of a migration. Deleted documents keep their row, so that a change of theirs is noticed. */
export const documentsSchema = `CREATE TABLE pith_documents (
  kind text NOT NULL, name text NOT NULL, body text, revision bigint NOT NULL,
  PRIMARY KEY (kind, name));
CREATE SEQUENCE pith_document_revisions`

const channel = 'pith_documents'

interface Row {
  kind: string
  name: string
  body: string | null
  revision: string
}

/** Loads all documents and follows them. @throws the error of the database */
export async function openDocuments(
  database: Database,
  onLog: (text: string) => void,
): Promise<Documents> {
  const known = new Map<string, Map<string, unknown>>()
  const revisions = new Map<string, bigint>()
  const versions = new Map<string, number>()
  const listeners = new Map<string, ((name: string) => void)[]>()
  const keyOf = (kind: string, name: string): string => `${kind}\0${name}`

  function take({ kind, name, body, revision }: Row, value?: unknown): void {
    const key = keyOf(kind, name)
    // Answers may arrive in another order than changes were made.
    if ((revisions.get(key) ?? 0n) >= BigInt(revision)) return
    revisions.set(key, BigInt(revision))
    const own = known.get(kind) ?? new Map<string, unknown>()
    known.set(kind, own)
    if (body === null) own.delete(name)
    else own.set(name, value ?? JSON.parse(body))
    versions.set(kind, (versions.get(kind) ?? 0) + 1)
    for (const listener of listeners.get(kind) ?? []) listener(name)
  }

  async function load(kind?: string, name?: string): Promise<void> {
    const one = name !== undefined
    const rows = await database.query<Row>(
      `SELECT kind, name, body, revision FROM pith_documents ${one ? 'WHERE kind = $1 AND name = $2' : ''}`,
      one ? [kind, name] : [],
    )
    for (const row of rows) take(row)
  }

  const loading = (what: Promise<void>): void =>
    void what.catch((error: Error) =>
      onLog(`Shared documents could not be read: ${error.message}.`),
    )

  await load()
  const unlisten = database.listen(
    channel,
    (payload) => {
      const [kind = '', name = ''] = JSON.parse(payload) as string[]
      loading(load(kind, name))
    },
    // What was changed while this process did not listen.
    () => loading(load()),
  )

  return {
    get: <T>(kind: string, name: string) => known.get(kind)?.get(name) as T | undefined,
    all: <T>(kind: string) => (known.get(kind) ?? new Map()) as ReadonlyMap<string, T>,
    async change<T>(
      kind: string,
      name: string,
      edit: (stored: T | undefined) => T | undefined | Promise<T | undefined>,
    ) {
      const done = await database.transaction(async (query) => {
        await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          keyOf(kind, name).replace('\0', ' '),
        ])
        const [row] = await query<Row>(
          'SELECT body FROM pith_documents WHERE kind = $1 AND name = $2',
          [kind, name],
        )
        const stored = row?.body ? (JSON.parse(row.body) as T) : undefined
        const next = await edit(stored)
        if (next === stored) return { next }
        const body = next === undefined ? null : JSON.stringify(next)
        const [written] = await query<Row>(
          `WITH written AS (
             INSERT INTO pith_documents AS one (kind, name, body, revision)
             VALUES ($1, $2, $3, nextval('pith_document_revisions'))
             ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, revision = excluded.revision
             RETURNING revision)
           SELECT revision, pg_notify('${channel}', $4) FROM written`,
          [kind, name, body, JSON.stringify([kind, name])],
        )
        return { next, row: { kind, name, body, revision: written?.revision ?? '0' } }
      })
      if (done.row) take(done.row, done.next)
      return done.next
    },
    onChange: (kind, listener) =>
      void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    version: (kind) => versions.get(kind) ?? 0,
    close: unlisten,
  }
}
