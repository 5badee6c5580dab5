import { languageNamed } from '../languages/all-languages.ts'
import { type ParseOutcome, parseText } from './parse-text.ts'

export interface Parsing {
  text: string
  /** Name of the language. */
  language: string
  timeoutMs: number
}

/** What the thread of `createParser` does. */
export default async function parse({ text, language, timeoutMs }: Parsing): Promise<ParseOutcome> {
  const rules = languageNamed(language)
  if (!rules) throw new Error(`There is no language ${language}.`)
  return parseText(text, rules, timeoutMs)
}
