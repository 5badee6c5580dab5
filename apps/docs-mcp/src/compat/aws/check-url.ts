import type { Docs } from '@pith-mcp/docs'
import { CallError } from '@pith-mcp/server-kit/tools'

/** A page that the tools read: of a supported domain, and ending in `.html`; a fragment may follow. */
export function checkUrl(url: string, docs: Docs): void {
  const { home = '', neuronHome = '' } = docs.siteOptions('aws')
  const hosts = [home, neuronHome].map((site) => new URL(site).host)
  if (!isOn(url, hosts))
    throw new CallError(
      'URL must be from list of supported domains',
      `Those are ${hosts.join(' and ')}; search_documentation finds pages.`,
    )
  checkEnd(url, '')
}

/** The same for the China partition. */
export function checkChinaUrl(url: string, docs: Docs): void {
  const { home = '' } = docs.siteOptions('aws-cn')
  const { host } = new URL(home)
  if (!isOn(url, [host]))
    throw new CallError(
      `Invalid URL: ${url.slice(0, 200)}. URL must be from the ${host} domain`,
      'get_available_services lists pages.',
    )
  checkEnd(url, `Invalid URL: ${url.slice(0, 200)}. `)
}

function checkEnd(url: string, before: string): void {
  if (!new URL(url).pathname.endsWith('.html'))
    throw new CallError(
      `${before}URL must end with .html`,
      'Pass the address of a page as search results and links have it.',
    )
}

const isOn = (url: string, hosts: readonly string[]): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && hosts.includes(new URL(url).host)
