// Files built from deleted sources must not be packed.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
