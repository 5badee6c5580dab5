import { asciidoc } from './asciidoc.ts'
import type { Format } from './format.ts'
import { html } from './html.ts'
import { man } from './man.ts'
import { markdown } from './markdown.ts'
import { notebook } from './notebook.ts'
import { openapi } from './openapi.ts'
import { pdf } from './pdf.ts'
import { plainText } from './plain-text.ts'
import { rst } from './rst.ts'

/** Formats of pages that are read; of all others, `unreadKind` counts the documents. */
export const allFormats: readonly Format[] = [
  html,
  markdown,
  plainText,
  notebook,
  openapi,
  man,
  rst,
  asciidoc,
  pdf,
]
