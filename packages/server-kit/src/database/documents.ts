import { attempt } from '#base/attempt'
import type { Query } from '#base/database'
import type { Signer } from '#base/signer'
import type { Database } from './database.ts'
import { createLoads, type Notice, notice } from './load-changes.ts'

/**
 * JSON documents that all replicas share, by kind and name. Reads are from memory: each replica has
 * all documents, and learns of changes. For small things that are read with each request.
 */
export type Documents = Awaited<ReturnType<typeof openDocuments>>

/**
 * Step of a migration. Deleted documents keep their row for a day, so that a change of theirs is
 * noticed.
 */
export const documentsSchema = `CREATE TABLE pith_documents (
  kind text NOT NULL, name text NOT NULL, body text, revision bigint NOT NULL,
  PRIMARY KEY (kind, name));
CREATE SEQUENCE pith_document_revisions`

/**
 * Step of a migration. Without a default, programs of earlier versions read documents, but cannot
 * write any without a signature.
 */
export const signedDocumentsSchema = `ALTER TABLE pith_documents
  ADD COLUMN mac text NOT NULL DEFAULT '', ADD COLUMN written_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE pith_documents ALTER COLUMN mac DROP DEFAULT`

const channel = 'pith_documents'
/**
 * The highest revisions that replicas have written, kept apart from the database: a row with a lower
 * one is an old one, which was put back by who can write the database.
 */
export interface RevisionMarks {
  /** Of documents, by their place; undefined where none is known. */
  of(documents: readonly Pick<Row, 'kind' | 'name'>[]): Promise<readonly (bigint | undefined)[]>
  note(document: Pick<Row, 'kind' | 'name' | 'revision'>): void
}

type Row = { kind: string; name: string; body: string | null; revision: string; mac: string }

const bodyOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)
const keyOf = (kind: string, name: string): string => `${kind}\0${name}`
const partsOf = ({ kind, name, revision, body }: Omit<Row, 'mac'>): string[] => [
  kind,
  name,
  revision,
  body ?? '',
]

/** Documents with a wrong signature that are named. */
const maxNamed = 100

/** What is known of the documents, as far as it is signed. */
function createMemory(signer: Signer, onLog: (text: string) => void) {
  const documentsByKind = new Map<string, Map<string, unknown>>()
  const revisions = new Map<string, bigint>()
  /** Revisions below these are old. */
  const lowest = new Map<string, bigint>()
  const versions = new Map<string, number>()
  const listeners = new Map<string, ((name: string) => void)[]>()
  /** Kinds and names as they are shown, by key. */
  const refused = new Map<string, string>()

  function take(row: Row, value?: unknown): void {
    const { kind, name, body, revision, mac } = row
    const key = keyOf(kind, name)
    // Answers may arrive in another order than changes were made.
    if ((revisions.get(key) ?? 0n) >= BigInt(revision)) return
    if (isOld(row) || !signer.isSigned(mac, ...partsOf(row))) return void refuse(kind, name)
    revisions.set(key, BigInt(revision))
    put(kind, name, body === null ? undefined : (value ?? JSON.parse(body)))
  }

  function isOld({ kind, name, revision }: Row): boolean {
    const key = keyOf(kind, name)
    return [revisions, lowest].some((known) => BigInt(revision) < (known.get(key) ?? 0n))
  }

  function refuse(kind: string, name: string): void {
    const key = keyOf(kind, name)
    if (refused.has(key)) return
    const label = JSON.stringify(`${kind} ${name}`.slice(0, 200)).slice(1, -1)
    refused.set(key, label)
    versions.set(kind, (versions.get(kind) ?? 0) + 1)
    if (refused.size > maxNamed) return
    onLog(
      `The document ${label} in the database is not signed with PITH_CLUSTER_KEY, or is an old one. It does not count.`,
    )
  }

  function put(kind: string, name: string, value: unknown): void {
    refused.delete(keyOf(kind, name))
    const documents = documentsByKind.get(kind) ?? new Map<string, unknown>()
    documentsByKind.set(kind, documents)
    if (value === undefined) documents.delete(name)
    else documents.set(name, value)
    versions.set(kind, (versions.get(kind) ?? 0) + 1)
    for (const listener of listeners.get(kind) ?? []) listener(name)
  }

  return {
    revisions,
    lowest,
    versions,
    listeners,
    refused,
    isOld,
    take,
    refuse,
    documentsOf: (kind: string): ReadonlyMap<string, unknown> =>
      documentsByKind.get(kind) ?? new Map(),
    /** Forgets what is no longer stored. */
    drop(kind: string, name: string): void {
      revisions.delete(keyOf(kind, name))
      put(kind, name, undefined)
    },
  }
}

/** Loads all documents, and those that others change. Resolves to what ends it. */
async function follow(
  database: Database,
  { revisions, lowest, take, drop }: ReturnType<typeof createMemory>,
  { onLog, marks }: { onLog: (text: string) => void; marks: RevisionMarks | undefined },
): Promise<() => Promise<void>> {
  async function load(changed?: Notice): Promise<void> {
    const isSingle = changed !== undefined
    const key = keyOf(...(changed ?? ['', '']))
    const before = new Map(isSingle ? [[key, revisions.get(key)]] : revisions)
    const rows = await database.query<Row>(
      `SELECT kind, name, body, revision, mac FROM pith_documents ${isSingle ? 'WHERE kind = $1 AND name = $2' : ''}`,
      changed,
    )
    const marked = (await marks?.of(rows)) ?? []
    for (const [at, row] of rows.entries()) {
      const place = keyOf(row.kind, row.name)
      const mark = marked[at] ?? 0n
      if (mark > (lowest.get(place) ?? 0n)) lowest.set(place, mark)
      before.delete(place)
      take(row)
    }
    // Deleted so long ago that their row is gone, too.
    for (const [gone, revision] of before) {
      if (revision === undefined || revisions.get(gone) !== revision) continue
      const [ofKind = '', ofName = ''] = gone.split('\0')
      drop(ofKind, ofName)
    }
  }

  const changes = createLoads(load, onLog)
  await load()
  const unlisten = database.listen(
    channel,
    (payload) => changes.load(attempt(() => notice.parse(JSON.parse(payload)), undefined)),
    // What was changed while this process did not listen.
    () => changes.load(),
  )

  return async () => {
    unlisten()
    await changes.close()
  }
}

/**
 * Loads all documents and follows them. One that is not signed for its kind, name and revision does
 * not exist: what was known before stays. @throws the error of the database
 */
export async function openDocuments(
  database: Database,
  signer: Signer,
  onLog: (text: string) => void,
  marks?: RevisionMarks,
) {
  const memory = createMemory(signer, onLog)
  const { versions, listeners, refused, take } = memory

  /** What is stored, as far as it counts, under a lock of the transaction. */
  async function locked(query: Query, kind: string, name: string): Promise<unknown> {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${kind} ${name}`])
    const [row] = await query<Row>(
      'SELECT kind, name, body, revision, mac FROM pith_documents WHERE kind = $1 AND name = $2',
      [kind, name],
    )
    if (row === undefined) return undefined
    if (!memory.isOld(row) && signer.isSigned(row.mac, ...partsOf(row)))
      return row.body === null ? undefined : JSON.parse(row.body)
    memory.refuse(kind, name)
    return memory.documentsOf(kind).get(name)
  }

  const close = await follow(database, memory, { onLog, marks })
  return {
    get: <T>(kind: string, name: string) => memory.documentsOf(kind).get(name) as T | undefined,
    /** By name. */
    all: <T>(kind: string) => memory.documentsOf(kind) as ReadonlyMap<string, T>,
    /**
     * Replaces a document by what `edit` returns for the stored one, under a lock across replicas;
     * undefined deletes it. Nothing is written for the same object, or if `edit` rejects. Durable
     * when it resolves, to what is stored then.
     */
    async change<T>(kind: string, name: string, edit: Edit<T>): Promise<T | undefined> {
      const done = await database.transaction(async (query) => {
        const document = (await locked(query, kind, name)) as T | undefined
        const next = await edit(document)
        if (next === document) return { next }
        return { next, row: await writeRow(query, signer, { kind, name, body: bodyOf(next) }) }
      })
      if (done.row) {
        take(done.row, done.next)
        marks?.note(done.row)
      }
      return done.next
    },
    /** Kind and name of those that do not count; at most 100. */
    refused: (): readonly string[] => [...refused.values()].slice(0, maxNamed),
    isRefused: (kind: string, name: string): boolean => refused.has(keyOf(kind, name)),
    /** Calls `listener` after each change of a kind, also of our own. */
    onChange: (kind: string, listener: (name: string) => void) =>
      void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    /** Increases with each change of a kind. */
    version: (kind: string) => versions.get(kind) ?? 0,
    /** Resolves when nothing is read any more. */
    close,
  }
}

type Edit<T> = (document: T | undefined) => T | undefined | Promise<T | undefined>

/** Stores a document, which must be locked. Resolves to its row. */
async function writeRow(
  query: Query,
  signer: Signer,
  document: Pick<Row, 'kind' | 'name' | 'body'>,
) {
  const { kind, name, body } = document
  const [next] = await query<{ revision: string }>(
    `SELECT nextval('pith_document_revisions') AS revision`,
  )
  const unsigned = { kind, name, body, revision: next?.revision ?? '0' }
  const row = { ...unsigned, mac: signer.sign(...partsOf(unsigned)) }
  await query(
    `WITH written AS (
       INSERT INTO pith_documents AS one (kind, name, body, revision, mac)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, revision = excluded.revision,
         mac = excluded.mac, written_at = excluded.written_at
       RETURNING 1)
     SELECT pg_notify('${channel}', $6) FROM written`,
    [kind, name, body, row.revision, row.mac, JSON.stringify([kind, name])],
  )
  if (body === null)
    await query(
      `DELETE FROM pith_documents WHERE (kind, name) IN (SELECT kind, name FROM pith_documents
         WHERE body IS NULL AND written_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED)`,
    )
  return row
}

/**
 * Signs the documents that another key of the signer has signed, and with `areTrusted` all. Resolves
 * to the kinds and names of those whose signature was missing or wrong.
 */
export async function signDocuments(
  query: Query,
  signer: Signer,
  areTrusted: boolean,
): Promise<string[]> {
  const rows = await query<Row>(
    'SELECT kind, name, body, revision, mac FROM pith_documents ORDER BY kind, name FOR UPDATE',
  )
  const trusted: string[] = []
  for (const row of rows) {
    const { kind, name } = row
    const isSigned = signer.isSigned(row.mac, ...partsOf(row))
    const mac = signer.sign(...partsOf(row))
    if (mac === row.mac || !(isSigned || areTrusted)) continue
    if (!isSigned) trusted.push(`${kind} ${name}`)
    const values = [mac, kind, name]
    await query('UPDATE pith_documents SET mac = $1 WHERE kind = $2 AND name = $3', values)
  }
  return trusted
}
