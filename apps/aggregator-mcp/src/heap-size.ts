import { setFlagsFromString } from 'node:v8'

/**
 * Before anything else is loaded, since the heap does not take it later. What passes through is soon
 * gone: with room for a few megabytes of it the collector runs seldom, and more room only makes the
 * process larger. What calls have left in memory is given back when it is quiet (release-memory.ts).
 */
setFlagsFromString('--max-semi-space-size=4')
setFlagsFromString('--min-semi-space-size=1')
