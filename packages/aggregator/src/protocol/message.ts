export type JsonObject = Record<string, unknown>

/** `legacy` begins with `initialize`. `modern` is 2026-07-28: each request is self-contained. */
export type Era = 'legacy' | 'modern'

export interface Message {
  method: string
  params?: JsonObject | undefined
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Called with the server's progress, without the progress token. */
  onProgress?: ((progress: JsonObject) => void) | undefined
  /** The definition of the called tool: over HTTP some of its parameters are sent as headers. */
  tool?: JsonObject | undefined
}

/** True for a JSON object; false for an array or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
