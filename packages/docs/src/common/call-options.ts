export interface IndexProgress {
  /** Pages read, of those that have to be; `total` is 0 while nobody knows. */
  done: number
  total: number
  /** Sections and characters of text that they have. */
  sections: number
  characters: number
}

/** Waiting for an answer can be given up; the work behind it is finished and kept. */
export interface CallOptions {
  signal?: AbortSignal
  /** Called as pages are read for a search. */
  onProgress?: (progress: IndexProgress) => void
}
