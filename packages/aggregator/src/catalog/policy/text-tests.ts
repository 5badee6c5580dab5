import type { FindPattern } from '#servers/config/permission-patterns'
import { addressesOf } from './host-test.ts'
import { isText, leadsOut, loose, plain, readingsOf } from './readings.ts'
import type { Verdict } from './verdicts.ts'

/** Begins like a URL of a host. */
const isUrl = (text: string): boolean => /^[a-z][\w+.-]*:\/\/./i.test(text)

export function judgePrefix(value: unknown, prefix: string): Verdict {
  if (!isText(value)) return undefined
  const segment = prefix.search(/[^\\/]*$/)
  const isOfUrl = isUrl(prefix)
  if (value.startsWith(prefix))
    return leadsOut(value.slice(segment)) || (isOfUrl && /[\r\n\t]/.test(value)) ? undefined : true
  const begin = loose(prefix)
  const readings = readingsOf(value)
  if (readings.some((reading) => reading.startsWith(begin))) return undefined
  const [address] = isOfUrl ? addressesOf(prefix) : []
  if (address === undefined) return false
  const addresses = readings.flatMap(addressesOf)
  return addresses.some((other) => other.startsWith(address)) ? undefined : false
}

/** A pattern is found in all that a server may read from a text, in nothing of it, or undefined. */
export function judgeMatches(value: unknown, pattern: string, find: FindPattern): Verdict {
  if (!isText(value)) return undefined
  const clean = plain(value).trim()
  if (find(pattern, value))
    return leadsOut(clean) || (clean !== value && !find(pattern, clean)) ? undefined : true
  const ignoringCase = `(?i)${pattern}`
  return readingsOf(value).some((reading) => find(ignoringCase, reading)) ? undefined : false
}
