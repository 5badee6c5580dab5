/**
 * Handles of what lives in one process: sessions, suspended requests, tasks. With replicas they begin
 * with the one that has it: `r` and the id of the replica.
 */
export const ownedBy = (replica: string | undefined, handle: string): string =>
  replica === undefined ? handle : `r${replica}.${handle}`

/** The replica that a handle belongs to; undefined if it names none. */
export const replicaOf = (handle: unknown): string | undefined =>
  typeof handle === 'string' ? /^r([0-9a-z]{8})\./.exec(handle)?.[1] : undefined

/** A handle as its own replica knows it. */
export const withoutReplica = (handle: string): string => handle.replace(/^r[0-9a-z]{8}\./, '')
