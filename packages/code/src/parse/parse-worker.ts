import { decodeText } from '../access/read-text.ts'
import { languageNamed } from '../languages/all-languages.ts'
import type { DeclaredModule } from './declarations.ts'
import { declarationsIn, parseText } from './parse-text.ts'
import type { ParseOutcome } from './symbol-table.ts'

export interface Parsing {
  /** The bytes of the text, transferred instead of copied, and decoded in the worker. */
  bytes: Uint8Array<ArrayBuffer>
  /** Name of the language. */
  language: string
  timeoutMs: number
  /** Read what it declares instead of its symbols; `ambient` in a declaration file. */
  declarations?: 'ambient' | 'own' | undefined
}

export interface Outcomes {
  symbols: ParseOutcome
  declarations: DeclaredModule | { unparsed: string }
}

/** Entry point of the worker of `createParser`. */
export default async function parse({
  bytes,
  language,
  timeoutMs,
  declarations,
}: Parsing): Promise<Outcomes[keyof Outcomes]> {
  const rules = languageNamed(language)
  if (!rules) throw new Error(`There is no language ${language}.`)
  const text = decodeText(bytes)
  return declarations
    ? declarationsIn(text, rules, timeoutMs, declarations === 'ambient')
    : parseText(text, rules, timeoutMs)
}
