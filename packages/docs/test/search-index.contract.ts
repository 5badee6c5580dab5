import { termsOf } from '@pith-mcp/scorer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { IndexedPage, SearchIndex } from '../src/search-index/search-index.ts'

export const pageOf = (url: string, title: string, text: string, others = {}): IndexedPage => ({
  url,
  title,
  stamp: '1',
  headings: [{ id: 'h', title, level: 1 }],
  sections: [{ id: 'h', title, heading: title, path: [], text, tokens: 0 }],
  ...others,
})

/** What every adapter of the port does. */
export function describeSearchIndex(name: string, create: () => Promise<SearchIndex>): void {
  describe(name, () => {
    let index: SearchIndex
    beforeEach(async () => {
      index = await create()
      await index.put([
        pageOf('a', 'Ropes and knots', 'A bowline is a knot. A sheet bend joins ropes.'),
        pageOf('b', 'Sails', 'A sail is bent to a spar with a rope.', { language: 'en-GB' }),
        pageOf('c', 'マスト', 'データベースを作成する手順。', { language: 'ja' }),
      ])
    })
    afterEach(() => index.close())

    const found = async (query: string, options = {}) =>
      (
        await index.candidates(
          termsOf(query).map((term) => [term]),
          { limit: 10, ...options },
        )
      ).map(({ url }) => url)

    test('gives sections that have all terms before those that have some', async () => {
      expect(await found('sail rope')).toEqual(['b', 'a'])
      expect(await found('bowline')).toEqual(['a'])
      expect(await found('データベース')).toEqual(['c'])
    })

    test('one page with many matches does not hide the others', async () => {
      const sections = Array.from({ length: 200 }, (_, at) => ({
        id: `s${at}`,
        title: `Rope ${at}`,
        heading: `Rope ${at}`,
        path: [],
        text: 'Rope and more rope.',
        tokens: 6,
      }))
      await index.put([pageOf('big', 'Ropes', '', { sections })])
      const urls = new Set(await found('rope'))
      expect([...urls].sort()).toEqual(['a', 'b', 'big'])
    })

    test('gives the whole text of a section that is in parts', async () => {
      const parts = ['Hemp is spun. ', 'Then it is tarred. ', 'Then laid.'].map((text) => ({
        id: 'laid',
        title: 'Laid',
        heading: 'Laid',
        path: [],
        text,
        tokens: 11,
      }))
      const other = { ...parts[0], id: 'other', title: 'Other', text: 'Other.' }
      const own = { sections: [other, ...parts, other] as IndexedPage['sections'] }
      await index.put([pageOf('hemp', 'Hemp', '', own)])
      const [part] = await index.candidates([['tar']], { limit: 1 })
      expect(part).toMatchObject({ id: 'laid', tokens: 11 })
      expect(part && (await index.sectionText(part))).toBe(parts.map(({ text }) => text).join(''))
    })

    test('gives nothing for terms that are not there, and for none', async () => {
      expect(await found('zebra')).toEqual([])
      expect(await index.candidates([], { limit: 10 })).toEqual([])
      expect(await found('" NEAR( * : ^')).toEqual([])
    })

    test('keeps to a language and its regions', async () => {
      expect(await found('rope', { language: 'en' })).toEqual(['b'])
      expect(await found('rope', { language: 'en-gb' })).toEqual(['b'])
      expect(await found('rope', { language: 'fr' })).toEqual([])
    })

    test('gives the terms of the text in order, of a proposed page those it was put with', async () => {
      const proposed = { isProposed: true as const }
      await index.put([pageOf('d', 'Winches', 'capstan windlass', proposed)])
      const [[rope] = [], [winch] = []] = await Promise.all(
        ['bowlin', 'capstan'].map((term) => index.candidates([[term]], { limit: 1 })),
      )
      expect(rope?.terms).toBe(termsOf('A bowline is a knot. A sheet bend joins ropes.').join(' '))
      expect(winch?.terms).toBe('capstan windlass')
    })

    test('a proposal does not replace a page that was read', async () => {
      const proposed = { isProposed: true as const }
      await index.put([
        pageOf('a', 'Winches', 'capstan', proposed),
        pageOf('d', 'D', 'd', proposed),
      ])
      expect(await found('bowline')).toEqual(['a'])
      expect(await index.totals()).toMatchObject({ pages: 3, proposed: 1 })
      await index.put([pageOf('d', 'Winches', 'A capstan.')])
      expect((await index.pages()).get('d')).toMatchObject({ isProposed: false })
    })

    test('counts the sections that have a term', async () => {
      expect(await index.itemsWith(['rope', 'bowlin', 'zebra'])).toEqual([2, 1, 0])
    })

    test('a page that is put again is replaced, one that is removed is gone', async () => {
      await index.put([pageOf('a', 'Anchors', 'Iron.', { stamp: '2' })])
      expect(await found('bowline')).toEqual([])
      expect((await index.pages()).get('a')).toMatchObject({ stamp: '2', failed: false })
      await index.remove(['a', 'none'])
      expect(await found('anchors')).toEqual([])
      expect([...(await index.pages()).keys()].sort()).toEqual(['b', 'c'])
    })

    test('remembers pages that could not be read', async () => {
      await index.putFailed('b', '2', 'It is empty.')
      expect(await index.failures(5)).toEqual([{ url: 'b', problem: 'It is empty.' }])
      expect((await index.pages()).get('b')).toMatchObject({ stamp: '2', failed: true })
      expect(await found('sail')).toEqual([])
      expect(await index.totals()).toMatchObject({ pages: 2, failed: 1, sections: 2 })
    })

    test('knows its totals and languages after every change', async () => {
      const before = await index.totals()
      expect(before).toMatchObject({ pages: 3, sections: 3, failed: 0 })
      expect([...before.languages]).toEqual(
        expect.arrayContaining([
          ['ja', 1],
          ['en-GB', 1],
        ]),
      )
      await index.remove(['c'])
      expect(await index.totals()).toMatchObject({ pages: 2, sections: 2 })
    })

    test.each([
      ['bowlnie', 'bowline'],
      ['bwoline', 'bowline'],
      ['obwline', 'bowline'],
      ['sheett', 'sheet'],
      ['Sheett', 'sheet'],
      ['heet', 'sheet'],
    ])('a slip of the hand, %s, is near %s', async (slip, word) => {
      expect(await index.wordsLike(slip)).toContain(word)
    })

    test('nothing is near a short word or one of another kind', async () => {
      expect(await index.wordsLike('xyz')).toEqual([])
      expect(await index.wordsLike('xylophone')).toEqual([])
    })

    test('gives the terms that begin with a text, in order, and no removed ones', async () => {
      await index.put([pageOf('d', 'Rig', 'rigging4x2 rigging4x rigmarole')])
      expect(await index.termsBeginning('rigging4', 10)).toEqual(['rigging4x', 'rigging4x2'])
      expect(await index.termsBeginning('rig', 1)).toHaveLength(1)
      expect(await index.termsBeginning('%', 10)).toEqual([])
      await index.remove(['d'])
      expect(await index.termsBeginning('rigging', 10)).toEqual([])
    })

    test('gives headings, and pages by a part of their URL or title', async () => {
      expect(await index.headings('a')).toEqual([{ id: 'h', title: 'Ropes and knots', level: 1 }])
      expect(await index.headings('none')).toEqual([])
      expect(await index.pagesLike('sail', 5)).toEqual([{ url: 'b', title: 'Sails' }])
      expect(await index.pagesLike('%', 5)).toEqual([])
      expect(await index.pagesLike('', 2)).toHaveLength(2)
    })

    test('keeps small values', async () => {
      expect(await index.state('x')).toBeUndefined()
      await index.setState('x', '1')
      await index.setState('x', '2')
      expect(await index.state('x')).toBe('2')
    })

    test('is updated by one at a time', async () => {
      expect(await index.lease('one', 10_000)).toBe(true)
      expect(await index.lease('one', 10_000)).toBe(true)
      expect(await index.lease('two', 10_000)).toBe(false)
      await index.release('two')
      expect(await index.lease('two', 10_000)).toBe(false)
      await index.release('one')
      expect(await index.lease('two', -1)).toBe(true)
      expect(await index.lease('one', 10_000)).toBe(true)
    })
  })
}
