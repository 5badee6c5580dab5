import { escapePattern } from '#base/escape-pattern'
import { isJsonObject, type JsonObject } from '../protocol/message.ts'
import { replaceDivided } from './replace-divided.ts'
import { replaceEscaped } from './replace-escaped.ts'

/** Replaces secrets: all known values in logs and errors, the certain ones also in results. */
export type Redactor = ReturnType<typeof createRedactor>

/** Characters. Shorter values can be ordinary words. */
const minLength = 6
const minSureLength = 8
const mark = '[redacted]'
/** Characters. In longer texts a few searches for strings take less time than one for a pattern. */
const minLongText = 1_000
const maxNeedles = 24

/** Tokens that can be recognized by the prefix of their issuer. */
export const tokenShapes =
  /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,255}|sk-[\w-]{16,255}|xox[abeprs]-[\w-]{10,255}|AKIA[A-Z0-9]{12,40}|AIza[\w-]{30,60}|ya29\.[\w-]{20,400}|ntn_\w{20,255}|npm_\w{30,60}|eyJ[\w-]{10,4000}\.[\w-]{10,8000}\.[\w-]{0,2000})/g

/** Replaces secrets that it has learned, and tokens of common formats. */
export function createRedactor() {
  const all = new Set<string>()
  const sure = new Set<string>()
  let hideAll = replacer(all)
  let hideSure: ((text: string) => string) | undefined

  function learn(values: readonly string[], isSurely = false): void {
    const size = all.size + sure.size
    for (const form of values.flatMap(formsOf)) {
      if (form.length >= minLength) all.add(form)
      if (isSurely && form.length >= minSureLength) sure.add(form)
    }
    if (all.size + sure.size === size) return
    hideAll = replacer(all)
    hideSure = sure.size > 0 ? replacer(sure) : undefined
  }

  return {
    /** Adds values that may be secret. With `isSurely` they are redacted in results too. */
    learn,
    /** For logs, errors and the journal. */
    redact: (text: string) => hideAll(text).replace(tokenShapes, mark),
    /** For results; returns the same object if nothing was replaced. */
    redactIn<T>(value: T): T {
      return hideSure === undefined ? value : mapTexts(value, hideSure)
    },
  }
}

/** All forms in which a value can be printed: whole, by line, encoded, and its password. */
function formsOf(value: string): string[] {
  const [, scheme, rest = ''] = /^(Bearer|Basic|Token)\s+(.*)$/i.exec(value) ?? []
  const [, password = ''] = /^[a-z][\w+.-]*:\/\/[^/\s:]*:([^/\s@]+)@/i.exec(value) ?? []
  const basic = scheme?.toLowerCase() === 'basic' ? decoded(rest).split(':').slice(1).join(':') : ''
  return [value, rest, password, basic]
    .flatMap((form) => [form, ...form.split(/\r?\n/)])
    .filter((form) => form.length >= minLength)
    .flatMap((form) => [form, ...encoded(form)])
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')

/** Base64 and hexadecimal forms; `replaceEscaped` and `replaceDivided` read the rest. */
function encoded(value: string): string[] {
  const hex = Buffer.from(value).toString('hex')
  const base64 = [0, 1, 2].flatMap((offset) => base64At(offset, value))
  const forUrls = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return [...base64, ...forUrls, hex, hex.toUpperCase(), value.replaceAll(' ', '+')]
}

/** The part that does not depend on what is encoded around it, and the whole end of a text. */
function base64At(offset: number, value: string): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const base64 = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6))
  const inner = base64.slice(0, Math.floor((bytes.length * 8) / 6) - Math.ceil((offset * 8) / 6))
  return [base64, base64.replace(/=+$/, ''), inner]
}

function replacer(values: ReadonlySet<string>): (text: string) => string {
  if (values.size === 0) return (text) => text
  const byLength = [...values].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(byLength.map(escapePattern).join('|'), 'g')
  // Where one form contains another, that one is enough to find both.
  const needles = byLength.filter(
    (form) => !byLength.some((it) => it !== form && form.includes(it)),
  )
  const mayContain = (text: string): boolean =>
    text.length < minLongText ||
    needles.length > maxNeedles ||
    needles.some((needle) => text.includes(needle))
  return (text) => {
    const firstPass = mayContain(text) ? text.replace(pattern, mark) : text
    return replaceDivided(replaceEscaped(firstPass, pattern, mark), pattern, mark)
  }
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) {
    const mapped = value.map((item: unknown) => mapTexts(item, change))
    return mapped.some((item, index) => item !== value[index]) ? (mapped as T) : value
  }
  if (!isJsonObject(value)) return value
  let changed: JsonObject | undefined
  for (const [key, member] of Object.entries(value)) {
    const mapped = mapTexts(member, change)
    const redactedKey = change(key)
    if (mapped === member && redactedKey === key) continue
    changed ??= { ...value }
    if (redactedKey !== key) delete changed[key]
    changed[redactedKey] = mapped
  }
  return (changed as T | undefined) ?? value
}
