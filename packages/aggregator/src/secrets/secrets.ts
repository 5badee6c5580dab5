import { type Fields, isFields } from '../protocol/message.ts'

/** What must not be seen: by anyone in logs and errors, and by models in what servers answer. */
export interface Secrets {
  /** Values that may be secret are hidden from logs; those that surely are, from results too. */
  learn(values: readonly string[], isSurely?: boolean): void
  /** For logs, errors, the journal. */
  hide(text: string): string
  /** For what goes to a model; the same object if there is nothing to hide. */
  hideIn<T>(value: T): T
}

/** Shorter values are words that happen to be said. */
const shortest = 6
const shortestSure = 8
const mark = '[redacted]'

/** Tokens as their issuers write them, wherever they come from. */
const tokenShapes =
  /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,255}|sk-[\w-]{16,255}|xox[abeprs]-[\w-]{10,255}|AKIA[A-Z0-9]{12,40}|AIza[\w-]{30,60}|ya29\.[\w-]{20,400}|ntn_\w{20,255}|npm_\w{30,60}|eyJ[\w-]{10,4000}\.[\w-]{10,8000}\.[\w-]{0,2000})/g

export function createSecrets(): Secrets {
  const all = new Set<string>()
  const sure = new Set<string>()
  let hideAll = replacer(all)
  let hideSure: ((text: string) => string) | undefined

  function learn(values: readonly string[], isSurely = false): void {
    const size = all.size + sure.size
    for (const form of values.flatMap(formsOf)) {
      if (form.length >= shortest) all.add(form)
      if (isSurely && form.length >= shortestSure) sure.add(form)
    }
    if (all.size + sure.size === size) return
    hideAll = replacer(all)
    hideSure = sure.size > 0 ? replacer(sure) : undefined
  }

  return {
    learn,
    hide: (text) => hideAll(text).replace(tokenShapes, mark),
    hideIn(value) {
      return hideSure === undefined ? value : mapTexts(value, hideSure)
    },
  }
}

/** In whatever form a value is printed, whole, line by line, and the password in it. */
function formsOf(value: string): string[] {
  const [, scheme, rest = ''] = /^(Bearer|Basic|Token)\s+(.*)$/i.exec(value) ?? []
  const [, password = ''] = /^[a-z][\w+.-]*:\/\/[^/\s:]*:([^/\s@]+)@/i.exec(value) ?? []
  const basic = scheme?.toLowerCase() === 'basic' ? decoded(rest).split(':').slice(1).join(':') : ''
  return [value, rest, password, basic]
    .flatMap((one) => [one, ...one.split(/\r?\n/)])
    .filter((one) => one.length >= shortest)
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1), ...encoded(one)])
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')

function encoded(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64')
  try {
    const percent = encodeURIComponent(value)
    const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
    return [base64, base64.replace(/=+$/, ''), percent, lower, percent.replaceAll('%20', '+')]
  } catch {
    // Half of a character has no such form.
    return [base64]
  }
}

function replacer(values: ReadonlySet<string>): (text: string) => string {
  if (values.size === 0) return (text) => text
  const longestFirst = [...values].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'g')
  return (text) => text.replace(pattern, mark)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) {
    const mapped = value.map((item: unknown) => mapTexts(item, change))
    return mapped.some((item, index) => item !== value[index]) ? (mapped as T) : value
  }
  if (!isFields(value)) return value
  let changed: Fields | undefined
  for (const [key, member] of Object.entries(value)) {
    const mapped = mapTexts(member, change)
    const said = change(key)
    if (mapped === member && said === key) continue
    changed ??= { ...value }
    if (said !== key) delete changed[key]
    changed[said] = mapped
  }
  return (changed as T | undefined) ?? value
}
