import type { CodeSymbol } from './symbols.ts'

const maxLength = 160

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
