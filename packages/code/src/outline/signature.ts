import type { CodeSymbol, SourceFile } from './source-file.ts'

const maxLength = 160

/** A symbol in a list. Lines are of the file, from 1. */
export interface ListedSymbol {
  path: string
  kind: CodeSymbol['kind']
  signature: string
  startLine: number
  endLine: number
}

export const listedSymbol = ({ lines, text }: SourceFile, symbol: CodeSymbol): ListedSymbol => ({
  path: symbol.path,
  kind: symbol.kind,
  signature: firstLines(text, symbol),
  startLine: lines.lineAt(symbol.start),
  endLine: lines.lineAt(Math.max(symbol.start, symbol.end - 1)),
})

/** The header of a symbol, on one line of at most 160 characters. */
export function firstLines(text: string, { start, body, end }: CodeSymbol): string {
  const head = text.slice(start, Math.min(body > start ? body : end, start + 4 * maxLength))
  const line = head
    .replace(/(?:^|\s)(?:#|\/\/) .*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s{:=]+$/, '')
  return line.length > maxLength ? `${line.slice(0, maxLength - 2)} …` : line
}
