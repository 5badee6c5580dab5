import { createDocs, type Docs, type DocsOptions, type SiteAnswer } from '@pith-mcp/docs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Service, ServiceRequest } from './loopback-service.ts'

export interface SiteFixture {
  /** Of the adapter. */
  name: string
  title: string
  /** A service that behaves as the real one does, with at least three pages about `words`. */
  start(): Promise<Service>
  /** The source to search there, and what an operator would give with it. */
  source(service: Service): string
  sites?(service: Service): NonNullable<DocsOptions['sites']>
  words: string
  /** The best answer to them. */
  best: { url: (service: Service) => string; title: string; excerpt: RegExp }
  /** The words of a question as the service got them. */
  asked(request: ServiceRequest): string
  /** It answers in a way that finds less when its search fails. */
  less?: boolean
  /** Where the real one is, and what it certainly has. */
  live: { source: string; words: string; title: RegExp }
}

/** What every adapter keeps, whatever its site does. */
/** `waits`: also tests that take a second or more, which the client of all sites has in common. */
export function siteContract(fixture: SiteFixture, waits: boolean): void {
  const { name, title, words, best, less = false } = fixture

  describe(`the adapter ${name}`, () => {
    let service: Service
    let docs: Docs
    let source: string

    beforeEach(async () => {
      service = await fixture.start()
      source = fixture.source(service)
      docs = await createDocs({
        sources: [source],
        sites: fixture.sites?.(service) ?? {},
        limits: { timeoutMs: 1_500, perSecond: 1_000 },
      })
    })

    afterEach(async () => {
      await docs.close()
      await service.close()
    })

    const ask = (query = words, limit = 10): Promise<SiteAnswer> =>
      docs.querySiteSearch(source, query, { limit })
    const outcome = (): Promise<string> =>
      ask().then(
        (answer) => answer.problem ?? 'answered',
        (error: { message: string }) => error.message,
      )

    test('is found for its source', async () => {
      expect((await docs.describe(source)).site).toEqual({ name, title, search: true })
    })

    test('finds the page, absolute and without markup', async () => {
      const { hits, problem } = await ask()
      expect(problem).toBeUndefined()
      expect(hits.length).toBeGreaterThanOrEqual(3)
      expect(hits[0]).toMatchObject({ url: best.url(service), title: best.title })
      expect(hits[0]?.excerpt).toMatch(best.excerpt)
      for (const hit of hits) {
        expect(hit.url).toMatch(/^https?:\/\//)
        expect(`${hit.title}${hit.excerpt}${hit.path.join('')}`).not.toMatch(/<\/?\w+>|&\w+;|\n/)
      }
    })

    test('gives no more than it was asked for', async () => {
      expect((await ask(words, 2)).hits).toHaveLength(2)
    })

    test.for(['マイクロパーティション 利点', `"quoted" & 100% c++ é`, '<script>alert(1)</script>'])(
      'asks for %s as it was written',
      async (query) => {
        await ask(query).catch(() => {})
        const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')
        expect(letters(fixture.asked(service.questions()[0] as ServiceRequest))).toContain(
          letters(query),
        )
      },
    )

    test('nothing found is an empty answer', async () => {
      service.weather = 'empty'
      const { hits, problem } = await ask()
      expect({ hits, problem }).toEqual({ hits: [], problem: undefined })
    })

    test.for(['page instead of JSON', 'half an answer', 'another shape'] as const)(
      '%s is an error that says so, never an empty answer',
      async (weather) => {
        service.weather = weather
        expect(await outcome()).toMatch(
          /is not |is a truncated |has no |of an unknown form|lists no |contains no |reports /,
        )
      },
    )

    test.runIf(waits)('waits as long as a busy service asks', async () => {
      service.weather = 'busy once'
      expect(await outcome()).toBe('answered')
    })

    test('says that a service is busy, and for how long', async () => {
      service.weather = 'busy'
      expect(await outcome()).toMatch(/status 429 and requested a wait of 60 s/)
    })

    test('says why a service refuses', async () => {
      service.weather = 'refused'
      expect(await outcome()).toMatch(/status 403: "Invalid key"/)
    })

    const failures = [
      ['down', /status 500/],
      ['endless', /is larger than|did not answer within/],
      ['silent', /did not answer within 1.5 s/],
    ] as const
    test.for(waits ? failures : failures.slice(0, 2))(
      'a service that is %s ends as an error in time',
      async ([weather, message]) => {
        service.weather = weather
        const start = Date.now()
        expect(await outcome()).toMatch(message)
        expect(Date.now() - start).toBeLessThan(6_000)
      },
    )

    test('can be given up', async () => {
      service.weather = 'silent'
      const giveUp = new AbortController()
      setTimeout(() => giveUp.abort(new Error('given up')), 100)
      const asking = docs.querySiteSearch(source, words, { signal: giveUp.signal })
      await expect(asking).rejects.toThrow('given up')
    })

    test('is what a search of the source asks first', async () => {
      const { hits, sources } = await docs.search(words)
      expect(sources).toMatchObject([{ name: source, via: title, site: { name: title } }])
      expect(hits[0]?.url.split('#')[0]).toBe(best.url(service).split('#')[0])
      expect(hits.every(({ excerpt }) => excerpt.length <= 200)).toBe(true)
    })

    test('when it fails, the search says so and goes on in another way', async () => {
      service.weather = 'refused'
      const { hits, sources } = await docs.search(words)
      expect(sources[0]?.site?.problem).toContain('403')
      expect(sources[0]?.via === title).toBe(less)
      expect(hits.length).toBeGreaterThan(0)
    })
  })

  // The public site is asked only by those who say so: scripts/test.mjs tells what was not run.
  if (!process.env['LIVE']) return

  describe(`live: ${name}`, () => {
    test(`answers at ${fixture.live.source}`, { timeout: 60_000 }, async () => {
      const docs = await createDocs({ sources: [fixture.live.source] })
      try {
        const { hits, problem } = await docs.querySiteSearch(
          fixture.live.source,
          fixture.live.words,
        )
        expect(problem).toBeUndefined()
        expect(hits.map(({ title }) => title).join('\n')).toMatch(fixture.live.title)
      } finally {
        await docs.close()
      }
    })
  })
}
