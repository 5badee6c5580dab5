import type { Declaration } from '@pith-mcp/code'

/** Exported names of one library that are described. */
export const maxNames = 4_000
/** In characters. */
const maxSignature = 600

const strings = /(["'`])(?:\\.|(?!\1)[^\\\n])*\1|\/\*[\s\S]*?\*\/|\/\/.*/g

/** A declaration on one line, cut at 600 characters. */
export function signatureOf(text: string): string {
  const line = text
    .slice(0, 4 * maxSignature)
    // Strings are matched so that their slashes are no comments.
    .replace(strings, (match) => (match.startsWith('/') ? ' ' : match))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[;{:,]$/, '')
  return line.length > maxSignature ? `${line.slice(0, maxSignature)} …` : line
}

/** The comments of declarations; if several differ, each with what it is about. */
export function commentOf(
  declarations: readonly Declaration[],
  textOf: (comment: string) => string,
): string {
  const comments = declarations.map(({ comment }) => textOf(comment))
  const all = [...new Set(comments)].filter((text) => text !== '')
  if (all.length < 2) return all[0] ?? ''
  return all
    .map((text) => {
      const about = declarations[comments.indexOf(text)]?.signature ?? ''
      return `\`${signatureOf(about)}\`: ${text}`
    })
    .join('\n\n')
}
