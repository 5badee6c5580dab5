import type { Dialect } from './dialect.ts'
import type { EntryContext } from './entry-context.ts'
import { EntryRefused } from './entry-refused.ts'

/** References that our configuration resolves when a server starts. They cannot be escaped. */
const lookedUp = /\{(?:file|keychain|command):/

/** Escape text so that our configuration does not replace anything in it. @throws {EntryRefused} */
export function literal(text: string): string {
  if (lookedUp.test(text))
    throw new EntryRefused(
      'It contains {file:, {keychain: or {command: as text, which our file would resolve.',
    )
  return text.replaceAll('${', () => '$${')
}

/** Translate a text of a client's entry to one with the same meaning in our file. @throws {EntryRefused} */
export function translateText(
  text: string,
  field: string,
  dialect: Dialect,
  context: EntryContext,
): string {
  if (!dialect.fields.includes(field)) return literal(text)
  let translated = ''
  let at = 0
  // Adjacent text is escaped together, since a variable could begin in one part and end in the next.
  let plain = ''
  for (const match of text.matchAll(dialect.token)) {
    plain += text.slice(at, match.index)
    at = match.index + match[0].length
    const [meaning] = dialect.meanings.flatMap(([form, means]) => {
      const found = form.exec(match[0])
      return found ? [{ found, means }] : []
    })
    const means = meaning?.means(meaning.found, context) ?? { text: match[0] }
    if ('text' in means) plain += means.text
    else {
      translated += beforeVariable(plain) + checkDefault(means.variable)
      plain = ''
    }
  }
  return translated + literal(plain + text.slice(at))
}

/** `$` before a variable would escape it. */
function beforeVariable(plain: string): string {
  if (plain.endsWith('$'))
    throw new EntryRefused('A $ directly before a variable cannot be escaped.')
  return literal(plain)
}

/** Variables in a default would be replaced too. */
function checkDefault(variable: string): string {
  if (/:-.*\$/s.test(variable)) throw new EntryRefused('The default of a variable contains a $.')
  return variable
}
