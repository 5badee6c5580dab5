import type { SearchedSource } from '@pith-mcp/docs'
import { cacheProblem, nodeFinding } from '@pith-mcp/server-kit/run'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { amount } from '@pith-mcp/server-kit/tools'
import { openOwnDatabase } from '../open-database.ts'
import { cacheFolder, openDocs } from '../open-docs.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'
import { type Outcome, openSource } from './open-source.ts'

/** Check the requirements of the server, and each source. */
export async function diagnose(settings: Settings, sources: readonly string[]): Promise<Outcome[]> {
  const findings: Outcome[] = [
    nodeFinding('docs-mcp', version),
    await cache({ ...settings, databaseUrl: undefined, cookies: undefined }),
    ...(await database(settings)),
    ...proxies(settings),
    ...(await cookies(settings)),
  ]
  for (const source of sources) findings.push(await check(source, { ...settings, site: [] }))
  for (const site of settings.site) findings.push(await check(site, { ...settings, site: [site] }))
  if (sources.length + settings.site.length === 0)
    findings.push({
      isOk: true,
      text: 'no sources: pages are read by URL, and sites are searched by their URL as `source`',
    })
  return findings
}

async function cache(settings: Settings): Promise<Outcome> {
  const folder = cacheFolder(settings)
  if (folder === undefined)
    return { isOk: true, text: 'no cache: pages are held in memory while the server runs' }
  const fault = await cacheProblem(folder)
  if (fault) return fault
  const notices: string[] = []
  const docs = await openDocs(settings, [], (text) => notices.push(text))
  await docs.close()
  const [problem] = notices
  return problem ? { isOk: false, text: problem } : { isOk: true, text: `cache in ${folder}` }
}

async function database({ databaseUrl }: Settings): Promise<Outcome[]> {
  if (databaseUrl === undefined) return []
  try {
    const connection = await openOwnDatabase(databaseUrl, () => {})
    await connection.ready().finally(() => connection.close())
    return [{ isOk: true, text: 'database: pages and indexes of sites are shared' }]
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const check = error instanceof UsageError ? '' : '; check PITH_DATABASE_URL'
    return [{ isOk: false, text: `the database cannot be used: ${message || code}${check}` }]
  }
}

function proxies({ proxy }: Settings): Outcome[] {
  const urls = [...new Set([proxy.http, proxy.https])].filter((url) => url !== undefined)
  // The URL may contain a password.
  const safeUrls = urls.map((url) => url.replace(/\/\/[^@/]*@/, '//…@'))
  return safeUrls.length > 0 ? [{ isOk: true, text: `proxy ${safeUrls.join(', ')}` }] : []
}

async function cookies({ cookies: path }: Settings): Promise<Outcome[]> {
  if (path === undefined) return []
  const { readCookieFile } = await import('@pith-mcp/docs')
  try {
    const { cookies, ended, hosts, malformed, more } = await readCookieFile(path)
    const notes = [
      ended > 0 && `${ended} ended`,
      malformed > 0 && `${amount(malformed, 'line')} not read: malformed`,
      more > 0 && `${more} not read: too many`,
      process.platform === 'win32' && 'who may read the file is not checked on Windows',
    ].filter(Boolean)
    const text = [`${amount(cookies, 'cookie')} for ${amount(hosts.length, 'host')}`, ...notes]
    return [{ isOk: ended < cookies, text: text.join('; ') }]
  } catch (error) {
    const { message, remedy = '' } = error as Error & { remedy?: string }
    return [{ isOk: false, text: `${message} ${remedy}`.trim() }]
  }
}

/** A source passes if one of its pages can be read. The search method is reported, not tested. */
function check(source: string, settings: Settings): Promise<Outcome> {
  const places = settings.site.length > 0 ? [] : [source]
  return openSource(source, places, settings, async (docs) => {
    const { sources } = await docs.search('the')
    const [report] = sources
    const problem = report?.problem
    if (report?.site && report.via === report.site.name)
      return { isOk: report.site.problem === undefined, text: `${source}: ${requested(report)}` }
    if (!report || problem !== undefined || report.pages === 0)
      return { isOk: false, text: `${source}: ${problem ?? 'no page could be read'}` }
    const failed = report.site ? `; ${requested(report)}` : ''
    const size = report.more ? 'at least 20 pages' : amount(report.pages, 'page')
    const formats = report.ignored ? `; not read, other formats: ${report.ignored}` : ''
    return { isOk: true, text: `${source}: ${size}, searched by ${report.via}${failed}${formats}` }
  })
}

/** The result of the site's own search. */
function requested({ site }: SearchedSource): string {
  return site?.problem === undefined
    ? `${site?.name} answers`
    : `${site.name} failed: ${site.problem}`
}
