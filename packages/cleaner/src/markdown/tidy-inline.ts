import { collapse } from '../tree/text-of.ts'

/**
 * Collapse white space as browsers do, except for the line breaks of `<br>`, and escape markup at
 * the start of a line.
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

/** Represents `<br>` until white space is collapsed. Cannot occur in parsed HTML. */
export const hardBreak = '\u0000'

/** Text that would begin a heading, quotation, list, fence or rule at the start of a line. */
const structural = /^(?:#{1,6}(?= |$)|>|[-+](?= |$)|\*(?= )|={3,}$|(?:[-*_] *){3,}$|~{3,}|\|)/
const numbered = /^(\d{1,9})([.)])(?= |$)/

function guardLineStart(line: string): string {
  // Fast path: most lines begin with a letter, which is never markup.
  if (/^[a-z]/i.test(line)) return line
  if (structural.test(line)) return `\\${line}`
  return line.replace(numbered, '$1\\$2')
}
