import { setFlagsFromString } from 'node:v8'

const isForMany = process.argv.some((word) => word === '--http' || word.startsWith('--http='))

/**
 * What passes through is soon gone, and the process stands beside those of all servers: it keeps
 * small at the price of some throughput. One that serves many has more room for what is soon gone,
 * so that their calls do not wait for the collector. Before anything else is loaded, since heaps do
 * not shrink.
 */
setFlagsFromString('--optimize-for-size')
if (isForMany) {
  setFlagsFromString('--max-semi-space-size=8')
  setFlagsFromString('--min-semi-space-size=4')
}
