import { testFidelity } from './matrix.ts'
import { throughAggregator } from './rig/combinations.ts'

testFidelity(
  throughAggregator.filter(({ way, endpoint }) => way === 'full' && endpoint === 'stdio'),
)
