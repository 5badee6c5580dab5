export { type Database, isDown, openDatabase } from './database.ts'
export {
  type Documents,
  documentsSchema,
  openDocuments,
  signDocuments,
  signedDocumentsSchema,
} from './documents.ts'
export { migrate } from './migrate.ts'
