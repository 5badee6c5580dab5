import { testFidelity } from './matrix.ts'
import { bySdkOnly } from './rig/combinations.ts'

testFidelity(bySdkOnly, process.env['LONG'] === '1')
