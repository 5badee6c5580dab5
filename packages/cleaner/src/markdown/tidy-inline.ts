import { collapse } from '../tree/text-of.ts'

/**
 * Collapse whitespace as a browser does, but for the line breaks of `<br>`, and guard what a
 * line may not begin with.
 */
export function tidyInline(text: string): string {
  if (!text.includes(hardBreak)) return tidyLine(text)
  return text
    .split(hardBreak)
    .map(tidyLine)
    .filter((line) => line !== '')
    .join('\n')
}

const tidyLine = (line: string): string => guardLineStart(collapse(line))

/** Stands for `<br>` until whitespace is collapsed. Cannot occur in parsed HTML. */
export const hardBreak = '\u0000'

/** Text that would open a heading, quote, list, fence or rule at the start of a line. */
const structural = /^(?:#{1,6}(?= |$)|>|[-+](?= |$)|\*(?= )|={3,}$|(?:[-*_] *){3,}$|~{3,}|\|)/
const numbered = /^(\d{1,9})([.)])(?= |$)/

function guardLineStart(line: string): string {
  // Letters begin nothing, and most lines.
  if (/^[a-z]/i.test(line)) return line
  if (structural.test(line)) return `\\${line}`
  return line.replace(numbered, '$1\\$2')
}
