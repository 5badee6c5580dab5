import type { Format } from './format.ts'
import { html } from './html.ts'
import { markdown } from './markdown.ts'
import { plainText } from './plain-text.ts'

/** Formats of pages that are read; of all others, `unreadKind` counts the documents. */
export const allFormats: readonly Format[] = [html, markdown, plainText]
