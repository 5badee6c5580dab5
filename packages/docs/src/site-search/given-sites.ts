import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { allSites } from './all-sites.ts'
import type { SiteAdapter, SiteOptions } from './port/site.ts'

/**
 * Options that an operator gives: of an adapter, by its name; or of one source, by its URL, with
 * `service` for the name of the adapter.
 */
export type GivenSites = Readonly<Record<string, SiteOptions>>

export interface SiteChoice {
  adapter: SiteAdapter
  options: SiteOptions
}

/** What was given, checked. @throws {DocsError} `bad_argument` for names and values that are wrong. */
export function readGivenSites(given: GivenSites): GivenSites {
  for (const [key, { service, ...options }] of Object.entries(given)) {
    const isUrl = /^https?:/i.test(key)
    if (isUrl && !isAddress(key))
      throw new DocsError(
        'bad_argument',
        `${quoteValue(key)} is not a URL.`,
        'Write the address of a source, or the name of a site or service.',
      )
    const adapter = adapterNamed(isUrl ? (service ?? '') : key)
    for (const [name, value] of Object.entries(options)) checkOption(adapter, name, value)
  }
  return given
}

/** @throws {DocsError} `bad_argument` */
export function adapterNamed(name: string): SiteAdapter {
  const found = allSites.find((adapter) => adapter.name === name)
  if (found) return found
  throw new DocsError(
    'bad_argument',
    `There is no site or service ${quoteValue(name)}.`,
    `There are ${allSites.map((adapter) => adapter.name).join(', ')}.`,
  )
}

function checkOption(adapter: SiteAdapter, name: string, value: unknown): void {
  const known = adapter.defaults[name]
  if (known === undefined)
    throw new DocsError(
      'bad_argument',
      `${adapter.name} has no option ${quoteValue(name)}.`,
      `It has ${Object.keys(adapter.defaults).join(', ')}.`,
    )
  const isText = typeof value === 'string'
  // It may be a key: not even what is wrong with it is shown.
  if (isText && /\p{Cc}/u.test(value))
    throw new DocsError(
      'bad_argument',
      `${adapter.name}: ${name} has a line break or another character that cannot be sent.`,
      'Write it on one line.',
    )
  const isWanted = isAddress(known) || /^(?:url|base|.*Url)$/.test(name)
  const isRelative = isText && known.startsWith('/') && value.startsWith('/')
  if (!isText || (isWanted && value !== '' && !isRelative && !isAddress(plain(value))))
    throw new DocsError(
      'bad_argument',
      `${adapter.name}: ${name} ${quoteValue(String(value))} is not ${isText ? 'a URL' : 'a text'}.`,
      known === '' ? 'Write it as https://host/path.' : `Write it as ${JSON.stringify(known)}.`,
    )
}

/** The defaults, what a page states, and what an operator gives; the later count more. */
export const optionsOf = (
  { name, defaults }: SiteAdapter,
  given: GivenSites,
  stated: SiteOptions = {},
): SiteOptions => ({ ...defaults, ...stated, ...given[name] })

/** The adapter of the one site that a URL is of, or that was given for it. */
export function siteAt(url: string, given: GivenSites): SiteChoice | undefined {
  for (const [key, { service = '', ...options }] of Object.entries(given))
    if (/^https?:/i.test(key) && isBelow(url, key)) {
      const adapter = adapterNamed(service)
      return { adapter, options: { ...optionsOf(adapter, given), ...options } }
    }
  for (const adapter of allSites) {
    const options = optionsOf(adapter, given)
    if (adapter.isAt?.(new URL(url), options)) return { adapter, options }
  }
  return undefined
}

/** Where the one site of an adapter begins. @throws {DocsError} for a service, that many sites have. */
export function homeOf(name: string, given: GivenSites): string {
  const home = optionsOf(adapterNamed(name), given)['home']
  if (home !== undefined && home !== '') return home
  throw new DocsError(
    'bad_argument',
    `${name} is a service that many sites have.`,
    'Pass the URL of the site as a source; the service is recognised there.',
  )
}

/** Addresses among options: hosts that whoever names the site means, too. */
export const addressesOf = ({ options }: SiteChoice): URL[] =>
  Object.values(options)
    .filter(isAddress)
    .map((address) => new URL(address))

/** Names in braces are filled in later. */
const plain = (address: string): string => address.replace(/\{(\w+)\}/g, '$1')

/** An address of the web, whole. */
export const isAddress = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value)

function isBelow(url: string, root: string): boolean {
  const folder = root.endsWith('/') ? root : `${root}/`
  return url === root || url === folder || url.startsWith(folder)
}
