export { type Database, isDown, openDatabase } from './database.ts'
export {
  type Documents,
  documentsSchema,
  openDocuments,
  type RevisionMarks,
  signDocuments,
  signedDocumentsSchema,
} from './documents.ts'
export { migrate } from './migrate.ts'
