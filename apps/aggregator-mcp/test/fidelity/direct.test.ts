import { testFidelity } from './matrix.ts'
import { direct } from './rig/combinations.ts'

testFidelity(direct)
