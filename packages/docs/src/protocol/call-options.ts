/** Progress of indexing; `total` is 0 until the pages are listed. */
export interface IndexProgress {
  /** Pages read, and pages to read; `total` is 0 while it is unknown. */
  done: number
  total: number
  /** Sections of these pages, and characters of their text. */
  sections: number
  characters: number
}

/** An abort ends the wait; indexing under way continues, and its result is stored. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Called while pages are read for a search. */
  onProgress?: ((progress: IndexProgress) => void) | undefined
}
