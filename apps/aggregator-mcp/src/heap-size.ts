import { setFlagsFromString } from 'node:v8'

const isForMany = process.argv.some((word) => word === '--http' || word.startsWith('--http='))

/**
 * What passes through is soon gone, and the process stands beside those of all servers: it keeps
 * small at the price of some throughput, unless it serves many clients, who would wait for the
 * collector. Before anything else is loaded, since heaps do not shrink.
 */
setFlagsFromString(isForMany ? '--max-semi-space-size=8' : '--optimize-for-size')
