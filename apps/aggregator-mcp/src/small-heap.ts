import { setFlagsFromString } from 'node:v8'

/**
 * What passes through is soon gone, and the process stands beside those of all servers: it keeps
 * small at the price of some throughput. Before anything else is loaded, since heaps do not shrink.
 */
setFlagsFromString('--optimize-for-size')
