import type { CodeSymbol } from './symbols.ts'

const longest = 160

/** What stands before the body of a symbol, on one line of at most 160 characters. */
export function firstLines(text: string, { start, body, end }: CodeSymbol): string {
  const head = text.slice(start, Math.min(body > start ? body : end, start + 4 * longest))
  const line = head
    .replace(/(?:^|\s)(?:#|\/\/) .*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s{:=]+$/, '')
  return line.length > longest ? `${line.slice(0, longest - 2)} …` : line
}
