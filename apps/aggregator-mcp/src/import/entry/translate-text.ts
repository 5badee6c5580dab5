import type { Client } from './client.ts'
import type { EntryContext } from './entry-context.ts'
import { NotMoved } from './not-moved.ts'

/** What our reader looks up when a server starts; escaping does not keep it from that. */
const lookedUp = /\{(?:file|keychain|command):/

/** Text that arrives as it stands. @throws {NotMoved} */
export function literal(text: string): string {
  if (lookedUp.test(text))
    throw new NotMoved('it has text with {file:, {keychain: or {command:, which would be looked up')
  return text.replaceAll('${', () => '$${')
}

/** A text of a client's entry, said so that our reader makes the same of it. @throws {NotMoved} */
export function translateText(
  text: string,
  field: string,
  { dialect }: Client,
  context: EntryContext,
): string {
  if (!dialect.fields.includes(field)) return literal(text)
  let translated = ''
  let at = 0
  // Text that stands together is escaped together, since a variable may seem to begin in it.
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
      translated += beforeVariable(plain) + sound(means.kept)
      plain = ''
    }
  }
  return translated + literal(plain + text.slice(at))
}

/** `$` before a variable would make it text. */
function beforeVariable(plain: string): string {
  if (plain.endsWith('$')) throw new NotMoved('a $ stands right before a variable')
  return literal(plain)
}

/** A default is put in and then looked at again. */
function sound(variable: string): string {
  if (/:-.*\$/s.test(variable)) throw new NotMoved('the default of a variable has a $ in it')
  return variable
}
