/** Exported names of one library that are described. */
export const maxNames = 4_000
/** In characters. */
const maxSignature = 600

/** A declaration on one line, cut at 600 characters. */
export function signatureOf(text: string): string {
  const line = text
    .slice(0, 4 * maxSignature)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[;{:,]$/, '')
  return line.length > maxSignature ? `${line.slice(0, maxSignature)} …` : line
}
