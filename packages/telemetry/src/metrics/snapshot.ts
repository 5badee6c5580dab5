/** How it is at one moment. */
export interface Snapshot {
  /** Clients that are there. */
  sessions: number
  servers: readonly ServerSnapshot[]
}

export interface ServerSnapshot {
  /** With its account, if it has several. */
  name: string
  /** Calls that wait for their turn. */
  waiting: number
  instances: readonly InstanceSnapshot[]
}

export interface InstanceSnapshot {
  state: 'stopped' | 'starting' | 'ready' | 'down'
  starts: number
  /** Since it last answered. */
  failures: number
  /** Milliseconds for which it is left alone. */
  retryInMs: number
}
