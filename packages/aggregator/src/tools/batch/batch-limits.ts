export interface BatchLimits {
  /** Most commands in one batch. Default 50. */
  commands: number
  /** Most calls at the same time. Default 8. */
  atOnce: number
}

export const defaultBatchLimits: BatchLimits = { commands: 50, atOnce: 8 }
