/** Keeps results that were too long, so that the rest can be read. Bounded, and they expire. */
export interface ResultStore {
  /** Whether it is kept. Must not throw. */
  put(id: string, text: string): boolean
  /** Undefined for what was never put, has expired or had to make room. Must not reject. */
  get(id: string): Promise<string | undefined>
  /** Nothing of it stays behind but what other processes keep. */
  close(): void
}

export interface ResultLimits {
  /** In memory, roughly. Default 64 MB. */
  memoryBytes: number
  /** On disk. Default 512 MB. */
  diskBytes: number
  /** Default 1 hour. */
  ttlMs: number
}

export const defaultResultLimits: ResultLimits = {
  memoryBytes: 64 * 1024 * 1024,
  diskBytes: 512 * 1024 * 1024,
  ttlMs: 3_600_000,
}
