import { loadDriver, type OpenDatabase } from '@pith-mcp/base/sqlite-driver'
import { createDocs, type Database, migrationSteps } from '@pith-mcp/docs'
import { termsOf } from '@pith-mcp/scorer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasPostgres, startPostgres } from '../../../test/engines.ts'
import { migrate, openDatabase } from '../../server-kit/src/database/index.ts'
import { createPostgresPageStore } from '../src/page/cache/postgres-page-store.ts'
import { guarded } from '../src/postgres/database.ts'
import { createPostgresIndex } from '../src/search-index/postgres-search-index.ts'
import { createSqliteIndex } from '../src/search-index/sqlite-search-index.ts'
import { html, type LoopbackSite, startSite } from './loopback-site.ts'
import { describePageStore } from './page-store.contract.ts'
import { describeSearchIndex, pageOf } from './search-index.contract.ts'

const limits = { queryMs: 300, transactionMs: 300 }

describe('a database that fails', () => {
  test('is not waited for by every call, and is tried again', async () => {
    let calls = 0
    let hangs = true
    const query = (): Promise<never[]> => {
      calls++
      return hangs ? new Promise(() => {}) : Promise.resolve([])
    }
    const database = guarded({ query, transaction: () => new Promise(() => {}) }, limits)
    await expect(database.query('')).rejects.toMatchObject({ code: 'unreachable' })
    const began = performance.now()
    await expect(database.query('')).rejects.toThrow('no answer within 0.3 s')
    await expect(database.transaction(async () => {})).rejects.toThrow('no answer')
    expect(performance.now() - began).toBeLessThan(250)
    expect(calls).toBe(1)
    hangs = false
    await expect.poll(() => database.query('').catch(() => undefined)).toEqual([])
  })

  test('an error of a statement is passed on, and the next one runs', async () => {
    const failure = Object.assign(new Error('no such table'), { code: '42P01' })
    const query = (text: string) => (text === '' ? Promise.reject(failure) : Promise.resolve([]))
    const database = guarded({ query, transaction: () => Promise.reject(failure) }, limits)
    await expect(database.query('')).rejects.toBe(failure)
    expect(await database.query('SELECT 1')).toEqual([])
  })
})

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let engine: Engine
  let open: OpenDatabase
  const databases: { close(): Promise<void> }[] = []
  let database: Database
  let count = 0

  const connect = async (): Promise<Database> => {
    const own = await openDatabase(engine.url, { name: 'test' })
    databases.push(own)
    return own
  }
  const newIndex = () => createPostgresIndex(database, `source ${count++}`)

  beforeAll(async () => {
    open = (await loadDriver()) as OpenDatabase
    engine = await startPostgres({ fsync: 'off' })
    const own = await openDatabase(engine.url, { name: 'test' })
    databases.push(own)
    await migrate(own, 'docs-mcp', migrationSteps)
    database = own
  })
  afterAll(async () => {
    await Promise.all(databases.map((one) => one.close()))
    await engine?.stop()
  })

  describeSearchIndex('an index in PostgreSQL', newIndex)
  describePageStore('pages in PostgreSQL', async (options) => {
    await database.query('DELETE FROM pith_docs_stored_page')
    return createPostgresPageStore(database, options)
  })

  test('a page of any text is kept: NUL, halves of pairs, quotes, long URLs', async () => {
    const index = await newIndex()
    const url = `http://x/${Array.from({ length: 900 }, () => Math.random().toString(36)).join('')}`
    const text = "It's \0 a \\ rope \ud800 of '\\' \\u0000."
    await index.put([pageOf(url, "Rope's", text)])
    const [found] = await index.candidates([['rope']], { limit: 1 })
    expect(found).toMatchObject({ url, text: "It's  a \\ rope \ufffd of '\\' \\u0000." })
    for (const term of termsOf("it's 'n' a\\b")) await index.candidates([[term]], { limit: 1 })
    await index.put([pageOf(url, 'Again', 'A sail.'), pageOf(url, 'Last', 'A spar.')])
    expect(await index.itemsWith(['rope', 'sail', 'spar'])).toEqual([0, 0, 1])
  })

  test('sources do not see the pages of each other', async () => {
    const [one, other] = [await newIndex(), await newIndex()]
    await one.put([pageOf('a', 'Ropes', 'A bowline.')])
    expect(await other.itemsWith(['bowlin'])).toEqual([0])
    expect(await other.candidates([['bowlin']], { limit: 5 })).toEqual([])
    expect((await other.pages()).size).toBe(0)
  })

  test('a put is all or nothing', async () => {
    const index = await newIndex()
    await index.put([pageOf('a', 'Ropes', 'A bowline.')])
    const wrong = { ...pageOf('b', 'Knots', 'A bowline.'), title: undefined as unknown as string }
    await expect(index.put([pageOf('a', 'Sails', 'A sail.'), wrong])).rejects.toThrow()
    expect(await index.itemsWith(['bowlin', 'sail'])).toEqual([1, 0])
    expect([...(await index.pages()).keys()]).toEqual(['a'])
  })

  test('many writers of the same pages neither fail nor miscount', async () => {
    const name = `source ${count++}`
    const other = await connect()
    const indexes = [
      await createPostgresIndex(database, name),
      await createPostgresIndex(other, name),
    ]
    const put = (at: number) => {
      const pages = Array.from({ length: 20 }, (_, nth) => pageOf(`p${nth}`, 'T', `word${at} knot`))
      return indexes[at % 2]?.put(at % 3 ? pages : pages.toReversed())
    }
    await Promise.all(Array.from({ length: 12 }, (_, at) => put(at)))
    for (const index of indexes) await expect.poll(() => index.itemsWith(['knot'])).toEqual([20])
    expect(await indexes[0]?.totals()).toMatchObject({ pages: 20, sections: 20 })
  })

  test('what one process wrote another finds soon', async () => {
    const name = `source ${count++}`
    const one = await createPostgresIndex(database, name)
    const two = await createPostgresIndex(await connect(), name)
    expect((await two.totals()).sections).toBe(0)
    await one.put([pageOf('a', 'Ropes', 'A bowline.')])
    await expect.poll(async () => (await two.totals()).sections).toBe(1)
  })

  test('has the same candidates as SQLite, with the same order', async () => {
    const indexes = [await newIndex(), await createSqliteIndex({ open, path: ':memory:' })] as const
    const words = Array.from({ length: 40 }, (_, at) => `word${String.fromCharCode(97 + at)}`)
    let seed = 1
    const below = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const text = (length: number) =>
      Array.from({ length }, () => words[Math.min(below(40), below(40))]).join(' ')
    const sections = () =>
      Array.from({ length: 1 + below(9) }, (_, at) => {
        const heading = text(1 + below(3))
        return {
          id: `s${at}`,
          title: heading,
          heading,
          path: [text(1)],
          text: text(5 + below(90)),
          tokens: 9,
        }
      })
    const pages = Array.from({ length: 80 }, (_, at) =>
      pageOf(`p${at}`, text(2), '', { sections: sections() }),
    )
    for (const index of indexes) await index.put(pages)
    for (let nth = 0; nth < 30; nth++) {
      const query = Array.from({ length: 1 + below(4) }, () => termsOf(words[below(40)] ?? ''))
      const [own, other] = await Promise.all(
        indexes.map((index) => index.candidates(query, { limit: 20 })),
      )
      const places = (found = own) => found?.map(({ url, id, hasAll }) => `${url}#${id} ${hasAll}`)
      expect(places(own)).toEqual(places(other))
    }
  })

  describe('two servers', () => {
    let site: LoopbackSite
    const page = (title: string, text: string) =>
      html(`<title>${title}</title><main><h1 id="top">${title}</h1><p>${text}</p></main>`)

    beforeAll(async () => {
      const pages: Parameters<typeof startSite>[0] = { '/': page('Home', 'Welcome.') }
      const paths = Array.from({ length: 30 }, (_, at) => `/animal-${at}.html`)
      for (const [at, path] of paths.entries())
        pages[path] = page(`Animal ${at}`, `Stripes of kind${at}.`)
      const urls = () => paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')
      pages['/sitemap.xml'] = (request, response) =>
        html(`<urlset>${urls()}</urlset>`, 'application/xml')(request, response)
      site = await startSite(pages)
    })
    afterAll(() => site.close())

    const fetched = (path: string): number => site.requests.filter((one) => one === path).length

    test('one crawls, and both find; a page is fetched once', async () => {
      const sources = [`${site.url}/`]
      const one = await createDocs({ sources, database })
      const two = await createDocs({ sources, database: await connect() })
      const reads = await Promise.all([one.update(), two.update()])
      for (const [read] of reads) expect(read).toMatchObject({ isComplete: true, pages: 31 })
      expect(fetched('/sitemap.xml')).toBe(1)
      for (let at = 0; at < 30; at++) expect(fetched(`/animal-${at}.html`)).toBe(1)
      for (const docs of [one, two]) {
        const { hits } = await docs.search('stripes kind7')
        expect(hits[0]?.title).toBe('Animal 7')
      }
      await one.close()
      await two.close()
    })

    test('the lease of a killed one passes on', async () => {
      const name = `${site.url}/animal-3.html`
      const index = await createPostgresIndex(database, name)
      expect(await index.lease('killed', 1_500)).toBe(true)
      const docs = await createDocs({ sources: [name], database })
      const began = performance.now()
      const [read] = await docs.update()
      expect(read).toMatchObject({ isComplete: true })
      expect(performance.now() - began).toBeGreaterThan(1_000)
      expect(await index.lease('another', 1)).toBe(true)
      await docs.close()
    })

    test('without the database pages are read live and a search says why; then all works again', async () => {
      const sources = [`${site.url}/`]
      const docs = await createDocs({ sources, database })
      await docs.search('stripes')
      await engine.kill()
      const late = await createDocs({ sources, database })
      const before = fetched('/animal-5.html')
      const url = `${site.url}/animal-5.html`
      const { markdown } = await late.section(url, 'Animal 5')
      expect(markdown).toContain('kind5')
      expect(fetched('/animal-5.html')).toBe(before + 1)
      await expect(late.search('stripes')).rejects.toMatchObject({ code: 'unreachable' })
      await late.close()
      await expect(docs.search('stripes')).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('The search index cannot be used now'),
      })
      await engine.start()
      await expect
        .poll(() => docs.search('kind7').then(({ hits }) => hits[0]?.title, String))
        .toBe('Animal 7')
      await docs.close()
    })
  })
})
