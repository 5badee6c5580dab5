export interface SitePage {
  /** Its Markdown, from the root of the repository. */
  source: string
  /** Where it lies in the site, without an ending. */
  path: string
  title: string
  description: string
}

interface Renderer {
  buildSite(options: {
    root?: string
    to: string
    baseUrl?: string
  }): Promise<{ pages: SitePage[]; problems: string[] }>
  serveSite(options: {
    folder: string
    path?: string
    onRequest?: (path: string) => void
  }): Promise<{ url: string; close(): Promise<void> }>
}

const scripts = new URL('../../scripts/site/', import.meta.url)
const load = (name: string) => import(new URL(name, scripts).href) as Promise<Renderer>

/** What renders and serves the manual, which is plain JavaScript. */
export const { buildSite } = await load('build-site.mjs')
export const { serveSite } = await load('serve-site.mjs')
