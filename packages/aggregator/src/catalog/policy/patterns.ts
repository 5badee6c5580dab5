import { exposedName } from './exposed-names.ts'

/** True if a name matches one of the patterns; `*` matches any text. */
export const matchesAny = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matches(name, pattern))

/** For denials, which ignore case: a wider denial is the safe error. */
export const deniesAny = (name: string, patterns: readonly string[]): boolean =>
  matchesAny(folded(name), patterns.map(folded))

export const folded = (text: string): string => text.toLowerCase()

/** How a tool may be named in the rules of its own server: `tool`, `server.tool`, `server__tool`. */
export const namesInRules = (server: string, names: readonly string[]): string[] =>
  names.flatMap((name) => [name, `${server}.${name}`, exposedName({ server, name }, true)])

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  // The first match of each part is the best one: linear for any pattern.
  for (const part of parts.slice(1, -1)) {
    const index = name.indexOf(part, at)
    if (index < 0) return false
    at = index + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
