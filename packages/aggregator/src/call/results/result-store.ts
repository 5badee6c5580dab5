/** Stores long results, so that the rest can be read. Bounded; results expire. */
export interface ResultStore {
  /** False if the result cannot be stored. Must not throw or reject. */
  put(id: string, text: string): boolean | Promise<boolean>
  /** Undefined if the result is unknown, has expired or was evicted. Must not reject. */
  get(id: string): Promise<string | undefined>
  /** Deletes the results of this process. */
  close(): void
}

export interface ResultLimits {
  /** Approximate bytes in memory. Default 64 MB. */
  memoryBytes: number
  /** Bytes on disk. Default 512 MB. */
  diskBytes: number
  /** Milliseconds. Default 1 hour. */
  ttlMs: number
}

/** The limits unless others are given. */
export const defaultResultLimits: ResultLimits = {
  memoryBytes: 64 * 1024 * 1024,
  diskBytes: 512 * 1024 * 1024,
  ttlMs: 3_600_000,
}
