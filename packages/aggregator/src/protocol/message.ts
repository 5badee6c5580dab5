export type Fields = Record<string, unknown>

/** `legacy` begins with `initialize`; `modern` is 2026-07-28, in which each request stands alone. */
export type Era = 'legacy' | 'modern'

export interface Message {
  method: string
  params?: Fields | undefined
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Progress as the server gives it, without its token. */
  onProgress?: ((progress: Fields) => void) | undefined
  /** The definition of the tool that is called: some parameters go into headers of HTTP. */
  tool?: Fields | undefined
}

/** An object of JSON, not a list and not null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
