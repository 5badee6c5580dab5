import { decodeText } from '../access/read-text.ts'
import { languageNamed } from '../languages/all-languages.ts'
import { parseText } from './parse-text.ts'
import type { ParseOutcome } from './symbol-table.ts'

export interface Parsing {
  /** The bytes of the text, transferred instead of copied, and decoded in the worker. */
  bytes: Uint8Array<ArrayBuffer>
  /** Name of the language. */
  language: string
  timeoutMs: number
}

/** Entry point of the worker of `createParser`. */
export default async function parse({
  bytes,
  language,
  timeoutMs,
}: Parsing): Promise<ParseOutcome> {
  const rules = languageNamed(language)
  if (!rules) throw new Error(`There is no language ${language}.`)
  return parseText(decodeText(bytes), rules, timeoutMs)
}
