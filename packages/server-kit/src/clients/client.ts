import type { EntryReader } from './entries/entry-reader.ts'
import type { EntryWriter } from './entries/entry-writer.ts'
import type { ConfigFiles } from './locations/config-files.ts'

/** An MCP client as data: where it stores servers, how it writes an entry, and how one is read. */
export interface Client extends ConfigFiles, EntryWriter, EntryReader {
  /** As on the command line. */
  name: string
}
