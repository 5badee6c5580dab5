export interface BatchLimits {
  /** Maximum number of commands in one batch. Default 50. */
  commands: number
  /** Maximum number of calls at the same time. Default 8. */
  maxConcurrency: number
}

export const defaultBatchLimits: BatchLimits = { commands: 50, maxConcurrency: 8 }
