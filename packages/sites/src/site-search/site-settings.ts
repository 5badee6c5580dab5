import { DocsError, quoteValue } from '#formats/docs-error'
import { allSites } from './all-sites.ts'
import type { SiteAdapter, SiteOptions } from './port/site.ts'

/**
 * Options of an adapter by its name; or of one source by its URL, with the name of the adapter as
 * `service`.
 */
export type SiteSettings = Readonly<Record<string, SiteOptions>>

export interface SiteChoice {
  adapter: SiteAdapter
  options: SiteOptions
}

/** Validate the settings. @throws {DocsError} `bad_argument` for invalid names and values. */
export function parseSiteSettings(settings: SiteSettings): SiteSettings {
  for (const [key, { service, ...options }] of Object.entries(settings)) {
    const isUrl = /^https?:/i.test(key)
    if (isUrl && !isAddress(key))
      throw new DocsError(
        'bad_argument',
        `${quoteValue(key)} is not a valid URL.`,
        'Use the URL of a source, or the name of a site or service.',
      )
    const adapter = adapterNamed(isUrl ? (service ?? '') : key)
    for (const [name, value] of Object.entries(options)) checkOption(adapter, name, value)
  }
  return settings
}

/** @throws {DocsError} `bad_argument` */
export function adapterNamed(name: string): SiteAdapter {
  const match = allSites.find((adapter) => adapter.name === name)
  if (match) return match
  throw new DocsError(
    'bad_argument',
    `There is no site or service named ${quoteValue(name)}.`,
    `Sites and services: ${allSites.map((adapter) => adapter.name).join(', ')}.`,
  )
}

function checkOption(adapter: SiteAdapter, name: string, value: unknown): void {
  const defaultValue = adapter.defaults[name]
  if (defaultValue === undefined)
    throw new DocsError(
      'bad_argument',
      `${adapter.name} has no option ${quoteValue(name)}.`,
      `Its options are ${Object.keys(adapter.defaults).join(', ')}.`,
    )
  const isText = typeof value === 'string'
  // The value may be a key, so it is not part of the message.
  if (isText && /\p{Cc}/u.test(value))
    throw new DocsError(
      'bad_argument',
      `The option ${name} of ${adapter.name} contains a line break or another control character.`,
      'Write the value on one line.',
    )
  const isRequested = isAddress(defaultValue) || /^(?:url|base|.*Url)$/.test(name)
  const isRelative = isText && defaultValue.startsWith('/') && value.startsWith('/')
  if (!isText || (isRequested && value !== '' && !isRelative && !isAddress(withoutBraces(value))))
    throw new DocsError(
      'bad_argument',
      `The option ${name} of ${adapter.name} must be a ${isText ? 'URL' : 'string'}, got ${quoteValue(String(value))}.`,
      `Example: ${defaultValue === '' ? 'https://host/path' : JSON.stringify(defaultValue)}.`,
    )
}

/** Later ones override: defaults, options of the page, options of the operator. */
export const optionsOf = (
  { name, defaults }: SiteAdapter,
  settings: SiteSettings,
  stated: SiteOptions = {},
): SiteOptions => ({ ...defaults, ...stated, ...settings[name] })

/** The adapter of the site of a URL, or the one configured for the URL. */
export function siteAt(url: string, settings: SiteSettings): SiteChoice | undefined {
  for (const [key, { service = '', ...options }] of Object.entries(settings))
    if (/^https?:/i.test(key) && isBelow(url, key)) {
      const adapter = adapterNamed(service)
      return { adapter, options: { ...optionsOf(adapter, settings), ...options } }
    }
  for (const adapter of allSites) {
    const options = optionsOf(adapter, settings)
    if (adapter.isAt?.(new URL(url), options)) return { adapter, options }
  }
  return undefined
}

/** Home page of an adapter's site. @throws {DocsError} for a service that many sites use. */
export function homeOf(name: string, settings: SiteSettings): string {
  const home = optionsOf(adapterNamed(name), settings)['home']
  if (home !== undefined && home !== '') return home
  throw new DocsError(
    'bad_argument',
    `${name} is a service that many sites use.`,
    'Pass the URL of a site as a source; the service is recognised by its pages.',
  )
}

/** URLs among the options; their hosts are allowed together with the site. */
export const addressesOf = ({ options }: SiteChoice): URL[] =>
  Object.values(options)
    .filter(isAddress)
    .map((address) => new URL(address))

/** Placeholders in braces are replaced later. */
const withoutBraces = (address: string): string => address.replace(/\{(\w+)\}/g, '$1')

/** True for an absolute http or https URL. */
export const isAddress = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value)

function isBelow(url: string, root: string): boolean {
  const folder = root.endsWith('/') ? root : `${root}/`
  return url === root || url === folder || url.startsWith(folder)
}
