import { testFidelity } from './matrix.ts'
import { isOfCrossSection, throughAggregator } from './rig/combinations.ts'

const inFull = throughAggregator.filter(
  ({ way, endpoint }) => way === 'full' && endpoint === 'stdio',
)
/** Each time, every pair of client and server is tried: these by `full`, and the others by `call`. */
testFidelity(inFull.filter((at) => !isOfCrossSection(at)))
testFidelity(inFull.filter(isOfCrossSection), process.env['LONG'] === '1')
