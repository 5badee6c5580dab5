import type { Traced } from '#base/tracing'

/** `server`: a client request. `client`: a request to a server. */
export type Side = 'server' | 'client'

export type RecordOperation = (side: Side, traced: Traced, outcome: string, seconds: number) => void
