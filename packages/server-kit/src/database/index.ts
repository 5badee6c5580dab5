export { type Database, openDatabase, type Query } from './database.ts'
export { type Documents, documentsSchema, openDocuments } from './documents.ts'
export { migrate } from './migrate.ts'
