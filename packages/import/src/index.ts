export { findClients } from './find/find-clients.ts'
export { needsOf } from './plan/own-file.ts'
export { runImport } from './run-import.ts'
