import type { Page } from '@pith-mcp/cleaner'

/** A page of an installed library. */
export interface LibraryPage {
  /** Its address: `zod@4.1.0/README.md`. */
  url: string
  /** `README`, `docs`, `change log`, `types`. */
  kind: string
  /** Where it was read, as replies say it: `zod 4.1.0, installed: README`. */
  place: string
  /** Changes when the page does. */
  stamp: string
  /** A name whose end tells the format. */
  name: string
  /** The file that has its text, by its real path. */
  file?: string
  /** Its text in the format of its name, or the page itself. */
  read(): Promise<string | Page>
  /** True for the README and the declarations, which are one manual under the address of the library. */
  isManual: boolean
  /** Pages that this one consists of. */
  parts?: readonly LibraryPage[]
}

/** The pages of installed libraries, by their addresses. */
export interface LibraryPages {
  /**
   * Undefined for what is no address of a library.
   *
   * @throws {DocsError} for a library, a version or a page that is not installed.
   */
  page(address: string): Promise<LibraryPage | undefined>
}
