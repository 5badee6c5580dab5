import { getDocContent } from './get-doc-content.ts'
import { getDocSection } from './get-doc-section.ts'
import { getDocToc } from './get-doc-toc.ts'
import { recommendDocs } from './recommend-docs.ts'
import { searchDocs } from './search-docs.ts'
import { searchInDoc } from './search-in-doc.ts'
import { searchTable } from './search-table.ts'
import type { DocsTool } from './tool.ts'

/** In the order of tools/list: cheapest first. */
export const allTools: readonly DocsTool[] = [
  searchDocs,
  searchInDoc,
  searchTable,
  getDocToc,
  getDocSection,
  getDocContent,
  recommendDocs,
]
