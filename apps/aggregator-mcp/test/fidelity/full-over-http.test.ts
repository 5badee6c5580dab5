import { testFidelity } from './matrix.ts'
import { throughAggregator } from './rig/combinations.ts'

// Over stdio every pair of client and server is tried each time.
testFidelity(
  throughAggregator.filter(({ endpoint }) => endpoint === 'http'),
  process.env['LONG'] === '1',
)
