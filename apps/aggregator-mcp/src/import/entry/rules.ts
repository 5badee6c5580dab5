import { isTable, type Table } from '@pith-mcp/setup/files'
import type { EntryContext } from './entry-context.ts'
import { NotMoved } from './not-moved.ts'

/** What a key of an entry becomes. `text` puts a client's variables into our words. */
export interface RuleContext extends EntryContext {
  title: string
  text(value: string, field: string): string
}

/** @throws {NotMoved} */
export type Rule = (value: unknown, key: string, context: RuleContext) => Table | undefined

const mostSeconds = 86_400

export const asIs: Rule = (value, key) => ({ [key]: value })

export const leftOut: Rule = () => undefined

export const leftOutAndSaid: Rule = (_, key, { title, note }) => {
  note(`${key} is of ${title} and is left out`)
  return undefined
}

/** For what a server cannot be moved with. */
export const stays =
  (why: string): Rule =>
  (value, key) => {
    if (value === false) return undefined
    throw new NotMoved(`${why} (${key})`)
  }

export const ownSignIn: Rule = stays('it signs in with settings of its own')
export const envFile: Rule = stays('its variables come from a file, which our file cannot name')

const plainText = (value: unknown, key: string): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new NotMoved(`${key} is no text`)
}

export const text: Rule = (value, key, { text }) => ({ [key]: text(plainText(value, key), key) })

export const texts: Rule = (value, key, { text }) => {
  if (!Array.isArray(value)) throw new NotMoved(`${key} is no list`)
  return { [key]: value.map((one) => text(plainText(one, key), key)) }
}

/** Values that are null are not set. */
export const record: Rule = (value, key, context) => ({ [key]: recordOf(value, key, context) })

export function recordOf(
  value: unknown,
  key: string,
  { text }: RuleContext,
): Record<string, string> {
  if (!isTable(value)) throw new NotMoved(`${key} is no object`)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, text(plainText(one, `${key}.${name}`), key)]),
  )
}

export const address: Rule = (value, key, { text }) => {
  const url = plainText(value, key)
  const [, scheme = 'http'] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? []
  if (!/^https?$/i.test(scheme)) throw new NotMoved('its address is no http or https URL')
  return { [key]: text(url, key) }
}

/** Transports of ours have the same names; `others` says what else one may be called. */
export const transport =
  (others: Readonly<Record<string, string>> = {}): Rule =>
  (value, _, { title }) => {
    const type = plainText(value, 'type')
    const known = ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']
    const ours = others[type] ?? type
    if (!known.includes(ours)) throw new NotMoved(`type ${type} is spoken by ${title} only`)
    return { type: ours }
  }

/** A time in some unit, of which a second has `perSecond`. */
export const time =
  (name: 'timeoutSeconds' | 'startTimeoutSeconds', perSecond: number): Rule =>
  (value, key, { note }) => {
    const seconds = typeof value === 'number' ? value / perSecond : Number.NaN
    if (!(seconds > 0)) {
      note(`${key} is no time and is left out`)
      return undefined
    }
    if (seconds > mostSeconds) note(`${key} is cut to ${mostSeconds} s, the most there may be`)
    return { [name]: Math.min(seconds, mostSeconds) }
  }

const namesIn = (value: unknown, key: string): string[] => {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && name !== ''))
    throw new NotMoved(`${key} is no list of names: moved, it would show tools that are hidden now`)
  // In our lists it stands for any text.
  if (value.some((name) => name.includes('*')))
    throw new NotMoved(`${key} has a name with *, which is a pattern in our file`)
  return value
}

/** The only tools there are. */
export const onlyTools: Rule = (value, key) => ({
  // Gemini CLI may write arguments after the name.
  allow: namesIn(value, key).map((name) => name.replace(/\(.*\)$/s, '')),
})

export const hiddenTools: Rule = (value, key) => {
  const names = namesIn(value, key)
  return names.length === 0 ? undefined : { deny: names }
}

/** What a client asks at each call it goes on asking of our tools alone. */
export const approval: Rule = (value, key, { note, title }) => {
  if (JSON.stringify(value).includes('"prompt"'))
    note(`${key} asked before some calls: say so again in ${title} for the tools of the aggregator`)
  return undefined
}

/** The settings of a sign-in, by what they are called there. A port is no text. */
export const signIn =
  (
    keys: Readonly<Record<string, 'clientId' | 'clientSecret' | 'scope' | 'port' | undefined>>,
  ): Rule =>
  (value, key, { text, note }) => {
    if (!isTable(value)) throw new NotMoved(`${key} is no object`)
    const oauth: Table = {}
    for (const [name, one] of Object.entries(value)) {
      if (!Object.hasOwn(keys, name))
        throw new NotMoved(`it signs in with settings of its own (${key}.${name})`)
      const ours = keys[name]
      if (ours === undefined || one === null) continue
      const said = Array.isArray(one) ? one.map((scope) => plainText(scope, name)).join(' ') : one
      oauth[ours] = ours === 'port' ? said : text(plainText(said, name), key)
      // Only the secret is looked up by our reader.
      if (ours !== 'clientSecret' && String(oauth[ours]).includes('${'))
        throw new NotMoved(
          `${key}.${name} has a variable in it, which our file puts in nowhere there`,
        )
    }
    if (Object.keys(oauth).length === 0) return undefined
    if (oauth['clientId'] !== undefined && oauth['clientSecret'] === undefined)
      note('a client secret that is kept elsewhere does not move with it')
    return { oauth }
  }
