import type { Language } from '../languages/language.ts'
import type { Parsed } from '../parse/parsed.ts'
import { createLines, type Lines } from '../text/lines.ts'
import { type CodeSymbol, nameSymbols } from './symbols.ts'

export interface SourceFile {
  /** Relative to its root, with `/`. */
  path: string
  text: string
  lines: Lines
  language?: Language
  symbols: readonly CodeSymbol[]
  parsed: Parsed
  /** Why the file was not parsed; absent if it was. */
  unparsed?: string
}

const nothing: Parsed = {
  definitions: [],
  units: new Uint32Array(),
  leads: new Uint32Array(),
  tokens: new Uint32Array(),
  hasErrors: false,
}

export function createSourceFile(
  path: string,
  text: string,
  syntax: { language?: Language; parsed?: Parsed; unparsed?: string },
): SourceFile {
  const { parsed = nothing, language, unparsed } = syntax
  return {
    path,
    text,
    lines: createLines(text),
    symbols: nameSymbols(parsed.definitions),
    parsed,
    ...(language && { language }),
    ...(unparsed !== undefined && { unparsed }),
  }
}
