export { clientRoots, isFolder } from './client-roots.ts'
export { LazyLibrary } from './lazy-library.ts'
export { log, readVersion, runProgram } from './run-program.ts'
export { serve } from './serve.ts'
