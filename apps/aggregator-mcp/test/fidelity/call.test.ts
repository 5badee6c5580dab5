import { testFidelity } from './matrix.ts'
import { type Combination, crossSection, throughAggregator } from './rig/combinations.ts'

/** Those that the long tier has besides: by `full` every pair is tried each time. */
const isOfCrossSection = ({ client, upstream }: Combination) =>
  crossSection.some((pair) => pair.client === client && pair.upstream === upstream)

const byCall = throughAggregator.filter(({ way }) => way === 'call')
testFidelity(byCall.filter(isOfCrossSection))
testFidelity(
  byCall.filter((at) => !isOfCrossSection(at)),
  process.env['LONG'] === '1',
)
