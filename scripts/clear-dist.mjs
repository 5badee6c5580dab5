// What was built of files that are gone would be packed too.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
