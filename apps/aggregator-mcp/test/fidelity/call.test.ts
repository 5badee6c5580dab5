import { testFidelity } from './matrix.ts'
import { isOfCrossSection, throughAggregator } from './rig/combinations.ts'

const byCall = throughAggregator.filter(({ way }) => way === 'call')
/** Each time, every pair of client and server is tried: these by `call`, and the others by `full`. */
testFidelity(byCall.filter(isOfCrossSection))
testFidelity(
  byCall.filter((at) => !isOfCrossSection(at)),
  process.env['LONG'] === '1',
)
