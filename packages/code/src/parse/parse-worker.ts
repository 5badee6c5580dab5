import { decodeText } from '../access/read-text.ts'
import { languageNamed } from '../languages/all-languages.ts'
import { type ParseOutcome, parseText } from './parse-text.ts'

export interface Parsing {
  /** Of the text, which is decoded in the thread: handed over, they are not copied. */
  bytes: Uint8Array<ArrayBuffer>
  /** Name of the language. */
  language: string
  timeoutMs: number
}

/** What the thread of `createParser` does. */
export default async function parse({
  bytes,
  language,
  timeoutMs,
}: Parsing): Promise<ParseOutcome> {
  const rules = languageNamed(language)
  if (!rules) throw new Error(`There is no language ${language}.`)
  return parseText(decodeText(bytes), rules, timeoutMs)
}
