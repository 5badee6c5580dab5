import { languageOf } from '../../src/languages/all-languages.ts'
import { createSourceFile, type SourceFile } from '../../src/outline/source-file.ts'
import { parseText } from '../../src/parse/parse-text.ts'

/** Lines that hold a symbol, with its name path and kind. */
export interface Place {
  path: string
  kind: string
  first: number
  last: number
  extent: 'parsed' | 'recovered'
}

export async function readSource(path: string, text: string): Promise<SourceFile> {
  const language = languageOf(path, text)
  if (!language) throw new Error(`${path} has no language.`)
  const outcome = await parseText(text, language, 20_000)
  if ('unparsed' in outcome) throw new Error(`${path}: ${outcome.unparsed}.`)
  return createSourceFile(path, text, { language, ...outcome })
}

export const placesOf = ({ symbols, lines }: SourceFile): Place[] =>
  symbols.map(({ path, kind, start, end, extent }) => ({
    path,
    kind,
    first: lines.lineAt(start),
    last: lines.lineAt(Math.max(start, end - 1)),
    extent,
  }))
