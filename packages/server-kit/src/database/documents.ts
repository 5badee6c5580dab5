import type { Query } from '#base/database'
import type { Database } from './database.ts'

/**
 * JSON documents that all replicas share, by kind and name. Reads are from memory: each replica has
 * all documents, and learns of changes. For small things that are read with each request.
 */
export type Documents = Awaited<ReturnType<typeof openDocuments>>

/** Step of a migration. Deleted documents keep their row, so that a change of theirs is noticed. */
export const documentsSchema = `CREATE TABLE pith_documents (
  kind text NOT NULL, name text NOT NULL, body text, revision bigint NOT NULL,
  PRIMARY KEY (kind, name));
CREATE SEQUENCE pith_document_revisions`

const channel = 'pith_documents'

type Row = { kind: string; name: string; body: string | null; revision: string }

/** Loads all documents and follows them. @throws the error of the database */
export async function openDocuments(database: Database, onLog: (text: string) => void) {
  const documentsByKind = new Map<string, Map<string, unknown>>()
  const revisions = new Map<string, bigint>()
  const versions = new Map<string, number>()
  const listeners = new Map<string, ((name: string) => void)[]>()

  function take({ kind, name, body, revision }: Row, value?: unknown): void {
    const key = `${kind}\0${name}`
    // Answers may arrive in another order than changes were made.
    if ((revisions.get(key) ?? 0n) >= BigInt(revision)) return
    revisions.set(key, BigInt(revision))
    const documents = documentsByKind.get(kind) ?? new Map<string, unknown>()
    documentsByKind.set(kind, documents)
    if (body === null) documents.delete(name)
    else documents.set(name, value ?? JSON.parse(body))
    versions.set(kind, (versions.get(kind) ?? 0) + 1)
    for (const listener of listeners.get(kind) ?? []) listener(name)
  }

  async function load(kind?: string, name?: string): Promise<void> {
    const isSingle = name !== undefined
    const rows = await database.query<Row>(
      `SELECT kind, name, body, revision FROM pith_documents ${isSingle ? 'WHERE kind = $1 AND name = $2' : ''}`,
      isSingle ? [kind, name] : [],
    )
    for (const row of rows) take(row)
  }

  let isClosed = false
  const running = new Set<Promise<void>>()
  function loading(...what: string[]): void {
    if (isClosed) return
    const task = load(...what)
      .catch(({ message }: Error) => onLog(`Shared documents could not be read: ${message}.`))
      .finally(() => running.delete(task))
    running.add(task)
  }

  await load()
  const unlisten = database.listen(
    channel,
    (payload) => {
      const [kind = '', name = ''] = JSON.parse(payload) as string[]
      loading(kind, name)
    },
    // What was changed while this process did not listen.
    () => loading(),
  )

  return {
    get: <T>(kind: string, name: string) => documentsByKind.get(kind)?.get(name) as T | undefined,
    /** By name. */
    all: <T>(kind: string) => (documentsByKind.get(kind) ?? new Map()) as ReadonlyMap<string, T>,
    /**
     * Replaces a document by what `edit` returns for the stored one, under a lock across replicas;
     * undefined deletes it. Nothing is written for the same object, or if `edit` rejects. Durable
     * when it resolves, to what is stored then.
     */
    async change<T>(kind: string, name: string, edit: Edit<T>): Promise<T | undefined> {
      const done = await database.transaction((query) => changed(query, kind, name, edit))
      if (done.row) take(done.row, done.next)
      return done.next
    },
    /** Calls `listener` after each change of a kind, also of our own. */
    onChange: (kind: string, listener: (name: string) => void) =>
      void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    /** Increases with each change of a kind. */
    version: (kind: string) => versions.get(kind) ?? 0,
    /** Resolves when nothing is read any more. */
    async close(): Promise<void> {
      isClosed = true
      unlisten()
      await Promise.all(running)
    },
  }
}

type Edit<T> = (document: T | undefined) => T | undefined | Promise<T | undefined>

/** What is stored after an edit, and its row, if it was written. */
async function changed<T>(query: Query, kind: string, name: string, edit: Edit<T>) {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${kind} ${name}`])
  const [entry] = await query<Row>(
    'SELECT body FROM pith_documents WHERE kind = $1 AND name = $2',
    [kind, name],
  )
  const document = entry?.body ? (JSON.parse(entry.body) as T) : undefined
  const next = await edit(document)
  if (next === document) return { next }
  const body = next === undefined ? null : JSON.stringify(next)
  const [update] = await query<Row>(
    `WITH written AS (
       INSERT INTO pith_documents AS one (kind, name, body, revision)
       VALUES ($1, $2, $3, nextval('pith_document_revisions'))
       ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, revision = excluded.revision
       RETURNING revision)
     SELECT revision, pg_notify('${channel}', $4) FROM written`,
    [kind, name, body, JSON.stringify([kind, name])],
  )
  return { next, row: { kind, name, body, revision: update?.revision ?? '0' } }
}
