export { type Database, isDown, openDatabase } from './database.ts'
export { type Documents, documentsSchema, openDocuments } from './documents.ts'
export { migrate } from './migrate.ts'
