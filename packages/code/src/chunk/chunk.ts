import type { CodeSymbol } from '../outline/symbols.ts'
import type { Breadcrumb } from '../paging/breadcrumbs.ts'
import type { Leading } from '../paging/leading.ts'

/** A part of a chunk that can be jumped to. */
export interface Part {
  /** Its name path, from the chunk on (`/method`), or the first line of a statement. */
  name: string
  /** Line of the chunk, from 1. */
  startLine: number
  lines: number
}

/** One page of a function, another symbol or a file. */
export interface Chunk {
  /** `path#name path`, or the path of a file. */
  id: string
  file: string
  language?: string
  /** The symbol; absent for a file. */
  symbol?: { path: string; kind: CodeSymbol['kind'] }
  /** The page, byte for byte: all pages in a row are the chunk. */
  text: string
  /** Lines that stand above it and are repeated, with their lines in the file. */
  crumbs: readonly Breadcrumb[]
  /** Comments and attributes directly above the symbol, on its first page. */
  leading?: Leading
  isPartial: boolean
  /** Of the chunk. */
  totalLines: number
  /** First and last line of the page in the chunk, from 1. */
  startLine: number
  endLine: number
  /** The same lines in the file. */
  fileStartLine: number
  fileEndLine: number
  currentPage: number
  totalPages: number
  /** Absent on the last page. */
  nextPageToken?: string
  /** Absent on the first page. */
  prevPageToken?: string
  /** Of the whole chunk, roughly. */
  totalTokens: number
  /** `recovered`: the parser failed there, and its braces were counted. */
  extent: CodeSymbol['extent']
  /** Why the file has no symbols, where it was not parsed. */
  unparsed?: string
  /** On the first of many pages, what is in it; with how many more parts there are. */
  parts?: readonly Part[]
  moreParts?: number
  /** Name paths of others in the file that the name could have meant. */
  others?: readonly string[]
  /** A slip of one character in the token was mended. */
  isCorrected?: true
}

export interface ChunkOptions {
  /** Of another page of the chunk. */
  pageToken?: string
  /** A number of tokens, or `"300 lines"`, `"10 KB"`; 0 for as much as is allowed. */
  pageSize?: number | string
  /** Line of the chunk to begin at, from 1. */
  startLine?: number
}
