import { testFidelity } from './matrix.ts'
import { throughAggregator } from './rig/combinations.ts'

testFidelity(throughAggregator.filter(({ door }) => door === 'http'))
