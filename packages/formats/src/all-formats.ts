import type { Format } from './format.ts'
import { asciidoc } from './readers/asciidoc.ts'
import { html } from './readers/html.ts'
import { man } from './readers/man.ts'
import { markdown } from './readers/markdown.ts'
import { notebook } from './readers/notebook.ts'
import { openapi } from './readers/openapi.ts'
import { pdf } from './readers/pdf.ts'
import { plainText } from './readers/plain-text.ts'
import { rst } from './readers/rst.ts'

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
