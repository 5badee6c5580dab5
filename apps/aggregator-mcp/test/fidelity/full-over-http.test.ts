import { testFidelity } from './matrix.ts'
import { throughAggregator } from './rig/combinations.ts'

testFidelity(
  throughAggregator.filter(({ endpoint }) => endpoint === 'http'),
  process.env['LONG'] === '1',
)
