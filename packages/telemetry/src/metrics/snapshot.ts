/** The state at one moment. */
export interface Snapshot {
  /** Connected clients. */
  sessions: number
  servers: readonly ServerSnapshot[]
}

/** The state of one server and its instances. */
export interface ServerSnapshot {
  /** `SERVER` or `SERVER@ACCOUNT`. */
  name: string
  /** Calls that wait for a slot. */
  waiting: number
  instances: readonly InstanceSnapshot[]
}

/** The state of one running instance of a server. */
export interface InstanceSnapshot {
  state: 'stopped' | 'starting' | 'ready' | 'down'
  starts: number
  /** Since the last success. */
  failures: number
  /** Milliseconds until the next try. */
  retryInMs: number
}
