import { isTable, type Table } from '#base/table'
import type { ConfigLocation, HostEnvironment } from '../locations/location.ts'

/** The context of one entry. */
export interface EntryContext {
  name: string
  location: ConfigLocation
  host: HostEnvironment
  /** The content of its file. */
  root: Table
  /** The content of `ConfigFiles.otherFiles`, by the same names. */
  otherFiles: Readonly<Record<string, unknown>>
  note(text: string): void
}

/** An entry cannot be translated; `message` gives the reason, without secrets. */
export class EntryRefused extends Error {
  override readonly name = 'EntryRefused'
}

/** The context of a rule. `text` translates the client's variables to ours. */
export interface RuleContext extends EntryContext {
  title: string
  text(value: string, field: string): string
}

/** Translates a key of an entry; undefined drops it. @throws {EntryRefused} */
export type Rule = (value: unknown, key: string, context: RuleContext) => Table | undefined

const maxSeconds = 86_400

export const asIs: Rule = (value, key) => ({ [key]: value })

export const dropped: Rule = () => undefined

export const droppedWithNote: Rule = (_, key, { title, note }) => {
  note(`${key} applies to ${title} only and is dropped.`)
  return undefined
}

/** For settings that prevent moving a server. */
export const stays =
  (reason: string): Rule =>
  (value, key) => {
    if (value === false) return undefined
    throw new EntryRefused(`${reason} (${key}).`)
  }

export const ownSignIn: Rule = stays('It signs in with settings that are not supported here')
export const envFile: Rule = stays('Its variables come from a file, which is not supported here')

const plainText = (value: unknown, key: string): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new EntryRefused(`${key} must be a string.`)
}

export const text: Rule = (value, key, { text }) => ({ [key]: text(plainText(value, key), key) })

export const texts: Rule = (value, key, { text }) => {
  if (!Array.isArray(value)) throw new EntryRefused(`${key} must be a list.`)
  return { [key]: value.map((item) => text(plainText(item, key), key)) }
}

/** Null values are dropped. */
export const record: Rule = (value, key, context) => ({ [key]: recordOf(value, key, context) })

export function recordOf(
  value: unknown,
  key: string,
  { text }: RuleContext,
): Record<string, string> {
  if (!isTable(value)) throw new EntryRefused(`${key} must be an object.`)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, text(plainText(member, `${key}.${name}`), key)]),
  )
}

export const address: Rule = (value, key, { text }) => {
  const url = plainText(value, key)
  const [, scheme = 'http'] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? []
  if (!/^https?$/i.test(scheme)) throw new EntryRefused('Its URL is not an http or https URL.')
  return { [key]: text(url, key) }
}

/** The transport, by our names for it. `aliases` maps additional names. */
export const transport =
  (aliases: Readonly<Record<string, string>> = {}): Rule =>
  (value, _, { title }) => {
    const type = plainText(value, 'type')
    const types = ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']
    const ours = aliases[type] ?? type
    if (!types.includes(ours)) throw new EntryRefused(`Only ${title} supports the type ${type}.`)
    return { type: ours }
  }

/** A time in a unit of which `perSecond` make a second. */
export const time =
  (name: 'timeoutSeconds' | 'startTimeoutSeconds', perSecond: number): Rule =>
  (value, key, { note }) => {
    const seconds = typeof value === 'number' ? value / perSecond : Number.NaN
    if (!(seconds > 0)) {
      note(`${key} is not a valid time and is dropped.`)
      return undefined
    }
    if (seconds > maxSeconds) note(`${key} is reduced to the maximum of ${maxSeconds} s.`)
    return { [name]: Math.min(seconds, maxSeconds) }
  }

const namesIn = (value: unknown, key: string): string[] => {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && name !== ''))
    throw new EntryRefused(
      `${key} must be a list of names. Without it the server would expose tools that are hidden now.`,
    )
  // In our lists * matches any text.
  if (value.some((name) => name.includes('*')))
    throw new EntryRefused(`${key} has a name with *, which would be a pattern in our file.`)
  return value
}

/** An allow list of tools. */
export const onlyTools: Rule = (value, key) => ({
  // Gemini CLI may write arguments after the name.
  allow: namesIn(value, key).map((name) => name.replace(/\(.*\)$/s, '')),
})

export const hiddenTools: Rule = (value, key) => {
  const names = namesIn(value, key)
  return names.length === 0 ? undefined : { deny: names }
}

/** Approval of calls is up to the client, which will see our tools only. */
export const approval: Rule = (value, key, { note, title }) => {
  if (JSON.stringify(value).includes('"prompt"'))
    note(
      `${key} requires approval of some calls. Configure it again in ${title} for the tools of the aggregator.`,
    )
  return undefined
}

/** OAuth settings. `keys` maps the client's names to ours. A port is a number, others are strings. */
export const signIn =
  (
    keys: Readonly<Record<string, 'clientId' | 'clientSecret' | 'scope' | 'port' | undefined>>,
  ): Rule =>
  (value, key, { text, note }) => {
    if (!isTable(value)) throw new EntryRefused(`${key} must be an object.`)
    const oauth: Table = {}
    for (const [name, raw] of Object.entries(value)) {
      if (!Object.hasOwn(keys, name))
        throw new EntryRefused(
          `It signs in with settings that are not supported here (${key}.${name}).`,
        )
      const ours = keys[name]
      if (ours === undefined || raw === null) continue
      const input = Array.isArray(raw) ? raw.map((scope) => plainText(scope, name)).join(' ') : raw
      oauth[ours] = ours === 'port' ? input : text(plainText(input, name), key)
      // Our configuration replaces variables in the client secret only.
      if (ours !== 'clientSecret' && String(oauth[ours]).includes('${'))
        throw new EntryRefused(
          `${key}.${name} has a variable, which our file does not replace there.`,
        )
    }
    if (Object.keys(oauth).length === 0) return undefined
    if (oauth['clientId'] !== undefined && oauth['clientSecret'] === undefined)
      note('A client secret that is stored elsewhere is not moved.')
    return { oauth }
  }

/** Members that start a process; most clients write them as we do. */
export const launchRules: Readonly<Record<'command' | 'args' | 'env' | 'cwd', Rule>> = {
  command: text,
  args: texts,
  env: record,
  cwd: text,
}

/** Members that start or reach a server; most clients write them as we do. */
export const serverRules: Readonly<
  Record<keyof typeof launchRules | 'type' | 'url' | 'headers', Rule>
> = { ...launchRules, type: transport(), url: address, headers: record }
