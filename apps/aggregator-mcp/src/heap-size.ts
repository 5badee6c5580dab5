import { setFlagsFromString } from 'node:v8'

/**
 * Must be imported first: V8 ignores the flags once the heap is in use. Most objects are short-lived:
 * with a semi-space of a few megabytes the collector runs rarely, and a larger one only makes the
 * process larger. release-memory.ts returns memory to the system when the process is idle.
 */
setFlagsFromString('--max-semi-space-size=4')
setFlagsFromString('--min-semi-space-size=1')
