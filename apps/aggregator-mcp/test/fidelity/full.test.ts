import { testFidelity } from './matrix.ts'
import { throughAggregator } from './rig/combinations.ts'

testFidelity(throughAggregator.filter(({ way, door }) => way === 'full' && door === 'stdio'))
