import {
  createRanker,
  createSectionRanker,
  createToolRanker,
  excerptOf,
  matchedTerms,
  type ToolText,
  termsOf,
} from '@pith-mcp/scorer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

interface Note {
  title: string
  text: string
}

const notes: Note[] = [
  { title: 'Warehouse sizes', text: 'Set `warehouse.max-size` or pass --max-cluster-count=3.' },
  { title: 'Roles', text: 'Grant a role with os.path.join and setRoleOwner(). The role owner.' },
  { title: 'Owners', text: 'An owner has a role in the team. Roles are listed.' },
  { title: '公開鍵認証', text: 'サーバに公開鍵を登録します。ひらがなのせつめい。' },
  { title: '仮想ウェアハウス', text: 'サーバーの再起動は不要です。' },
  { title: '가상 웨어하우스', text: '웨어하우스를 만드는 방법을 설명합니다.' },
  { title: '创建虚拟仓库', text: '本节介绍如何创建仓库。' },
]
const ranker = createSectionRanker(notes, {
  heading: ({ title }) => title,
  text: ({ text }) => text,
})
const best = (query: string) => ranker.rank(query)[0]?.item.title

describe('what a word is', () => {
  test.each([
    ['os.path.join', 'Roles'],
    ['set role owner', 'Roles'],
    ['--max-cluster-count', 'Warehouse sizes'],
    ['max_cluster_count', 'Warehouse sizes'],
    ['公開', '公開鍵認証'],
    ['鍵', '公開鍵認証'],
    ['せつめい', '公開鍵認証'],
    ['サーバーの公開鍵', '公開鍵認証'],
    ['ｳｪｱﾊｳｽ', '仮想ウェアハウス'],
    ['웨어하우스 방법', '가상 웨어하우스'],
    ['仓库', '创建虚拟仓库'],
  ])('%s → %s', (query, title) => {
    expect(best(query)).toBe(title)
  })

  test('a phrase in quotes asks for its words side by side', () => {
    expect(best('"role owner"')).toBe('Roles')
    expect(best('"owner has a role"')).toBe('Owners')
  })
})

describe('words that are not there', () => {
  test('the begin of the last word is enough', () => {
    expect(best('wareh')).toBe('Warehouse sizes')
    const long = createRanker(['configuration'], {
      fields: [{ name: 't', text: (item) => item, weight: 1 }],
    })
    for (const begin of ['config', 'configurat', 'configurati'])
      expect(long.rank(begin)).toHaveLength(1)
  })

  test('a typing error is forgiven', () => {
    expect(best('warehuose')).toBe('Warehouse sizes')
  })

  test('but never before an exact hit', () => {
    const items = ['warehuose', 'a long text about nothing much but one grant in it', 'grand grand']
    const exact = createRanker(items, {
      fields: [{ name: 'text', text: (item) => item, weight: 1 }],
    })
    expect(exact.rank('grant warehouse').map(({ item }) => item)).toEqual([
      'a long text about nothing much but one grant in it',
      'warehuose',
    ])
  })
})

describe('a field of terms', () => {
  const ofTerms = (query: string) => {
    const matched = matchedTerms(query)
    return createSectionRanker(notes, {
      heading: ({ title }) => title,
      text: ({ text }) => termsOf(text).map((term) => (matched.has(term) ? term : '')),
    })
  }

  test.each(['owner has a role', '"role owner" os', 'max cluster count', 'server', 'key 公開'])(
    'ranks %s as the text does, with the terms that matter',
    (query) => {
      const shown = (by: typeof ranker) =>
        by.rank(query).map(({ item, score, reasons }) => [item.title, score.toFixed(6), reasons])
      expect(shown(ofTerms(query))).toEqual(shown(ranker))
    },
  )

  test('needs synonyms and words that neighbours form', () => {
    expect([...matchedTerms('delete time out')]).toEqual(
      expect.arrayContaining(['remov', 'timeout']),
    )
  })
})

describe('an index that changes', () => {
  test('finds what was added, not what was removed, and nothing twice', () => {
    const items = notes.slice(0, 2)
    const index = createSectionRanker(items, {
      heading: ({ title }) => title,
      text: ({ text }) => text,
    })
    const added = { title: 'Pipes', text: 'A pipe loads files.' }
    index.add(added)
    index.add(added)
    expect(index.rank('pipe').map(({ item }) => item)).toEqual([added])
    expect(index.remove(added)).toBe(true)
    expect(index.remove(added)).toBe(false)
    expect(index.rank('pipe')).toEqual([])
    added.text = 'A stage keeps files.'
    index.add(added)
    expect(index.rank('stage')[0]?.item).toBe(added)
  })

  test('forgets what it no longer has', () => {
    const index = createToolRanker<ToolText>([])
    for (let round = 0; round < 3000; round++) {
      const item = tool(`server${round % 7}`, `name_${round}`, 'Reads a file')
      index.add(item)
      if (round % 10 > 0) index.remove(item)
    }
    const found = index.rank('read a file')
    expect(found).toHaveLength(300)
    expect(index.rank('name_2990')[0]?.item.name).toBe('name_2990')
    expect(index.rank('"name_2991"').map(({ item }) => item.name)).not.toContain('name_2991')
  })

  test('ranks as one that was built at once', () => {
    const word = fc.constantFrom('role', 'owner', 'grant', 'warehouse', 'pipe', 'stage')
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), text, (texts, query) => {
        const fields = [{ name: 'text', text: (item: { text: string }) => item.text, weight: 1 }]
        const items = texts.map((own) => ({ text: own }))
        const grown = createRanker<{ text: string }>([], { fields })
        for (const item of items) grown.add(item)
        const gone = { text: 'role owner grant' }
        grown.add(gone)
        grown.remove(gone)
        const once = createRanker(items, { fields })
        expect(grown.rank(query).map(({ item }) => items.indexOf(item as never))).toEqual(
          once.rank(query).map(({ item }) => items.indexOf(item)),
        )
      }),
    )
  })
})

const tool = (server: string, name: string, description: string, properties = {}): ToolText => ({
  server,
  name,
  description,
  inputSchema: { type: 'object', properties },
})
const tools = [
  tool('github', 'create_branch', 'Create a branch in a repository'),
  tool('github', 'create_pull_request', 'Open a pull request', { base: { description: 'branch' } }),
  tool('github', 'list_issues', 'List issues of a repository'),
  tool('slack', 'post_message', 'Post a message to a channel', { channel_id: {} }),
  tool('files', 'read_file', 'Read a file', { path: { description: 'Where the file lies' } }),
  tool('files', 'delete_file', 'Remove a file for good'),
]
const toolRanker = createToolRanker(tools)
const names = (query: string, limit = 3) =>
  toolRanker.rank(query, { limit }).map(({ item }) => item.name)

describe('tools', () => {
  test.each([
    ['erase a document', 'delete_file'],
    ['show the tickets of the repo', 'list_issues'],
    ['send "create a branch" to channel #dev', 'post_message'],
    ['read /etc/hosts.conf', 'read_file'],
  ])('%s → %s', (query, name) => {
    expect(names(query)[0]).toBe(name)
  })

  test('a request for several things finds a tool for each', () => {
    const found = names('create a branch, open a pull request and post a message to a channel')
    expect(found).toEqual(
      expect.arrayContaining(['create_branch', 'create_pull_request', 'post_message']),
    )
  })
})

describe('excerpts', () => {
  const text =
    'The first sentence is long and says nothing. Roles own objects. Grant a role to a user.\nUsers log in. '

  test('are the sentences that say most', () => {
    expect(excerptOf(text, 'grant role', 30)).toBe('…Grant a role to a user.…')
    expect(excerptOf(text, 'grant role', 60)).toBe(
      '…Roles own objects. Grant a role to a user. Users log in.',
    )
    expect(excerptOf(text, 'own grant', 50)).toBe('…Roles own objects. Grant a role to a user.…')
  })

  test('stand around a whole word, not a word that has it inside', () => {
    const long = `${'catalog dialogs of things '.repeat(20)}whose logs are kept in var${' and so on'.repeat(20)}`
    expect(excerptOf(long, 'log')).toContain('logs are kept')
  })

  test('are no longer than they may be, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.string(), (own, query) => {
        expect(excerptOf(own, query, 50).length).toBeLessThanOrEqual(50)
      }),
    )
    expect(excerptOf('word'.repeat(10_000), 'word').length).toBeLessThanOrEqual(200)
    expect(excerptOf(`${'長い'.repeat(300)}鍵の文字`, '鍵')).toContain('鍵')
  })
})

test.each([
  'a'.repeat(100_000),
  'role '.repeat(20_000),
  `${'"'.repeat(50_000)}role`,
  '/'.repeat(50_000),
  'a@'.repeat(30_000),
  '.'.repeat(50_000),
  `and${' '.repeat(100_000)}then`,
  '\ud800 \0 \u202e role',
  'مرحبا role',
  '   ',
  'the of and',
])('an odd query is answered: %#', (query) => {
  expect(Array.isArray(ranker.rank(query))).toBe(true)
  expect(Array.isArray(toolRanker.rank(query, { limit: Number.NaN }))).toBe(true)
  expect(excerptOf(notes[0]?.text ?? '', query).length).toBeLessThanOrEqual(200)
  expect(excerptOf(query, 'role').length).toBeLessThanOrEqual(200)
})

test('a hundred thousand items are indexed and asked', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => ({ title: `Item ${at}`, text: 'Role.' }))
  const large = createSectionRanker(many, {
    heading: ({ title }) => title,
    text: ({ text }) => text,
  })
  expect(large.rank('item 4711', { limit: 1 })[0]?.item.title).toBe('Item 4711')
})

describe('what nobody should hand over', () => {
  interface Odd {
    t: string
    up?: Odd
  }
  const fields = [{ name: 't', text: ({ t }: Odd) => t, weight: 1 }]

  test('an item that is in itself', () => {
    const one: Odd = { t: 'foo' }
    const two: Odd = { t: 'foo bar', up: one }
    one.up = two
    const circle = createRanker([one, two], { fields, parent: ({ up }) => up })
    expect(circle.rank('foo').length).toBeGreaterThan(0)
  })

  test('an item that cannot be read leaves the index as it was', () => {
    const index = createRanker<Odd>([{ t: 'foo' }], {
      fields: [
        { name: 't', text: ({ t }) => t, weight: 2 },
        {
          name: 'broken',
          text: ({ t }) => {
            if (t === 'foo broken') throw new Error('unreadable')
            return ''
          },
          weight: 1,
        },
      ],
    })
    const broken = { t: 'foo broken' }
    expect(() => index.add(broken)).toThrow('unreadable')
    expect(index.remove(broken)).toBe(false)
    expect(index.rank('foo')).toHaveLength(1)
    index.add({ t: 'zebra' })
    expect(index.rank('zebra')[0]?.reasons).toEqual(['t: zebra'])
  })

  test('tools with nulls, and schemas that hold themselves', () => {
    const properties: Record<string, unknown> = {}
    for (let at = 0; at < 40; at++) properties[`city${at}`] = { properties }
    const odd = { name: 'weather', description: null, title: null, inputSchema: { properties } }
    const index = createToolRanker([odd as unknown as ToolText])
    expect(index.rank('city3')).toHaveLength(1)
    expect(index.rank('null')).toEqual([])
  })

  test('a query of nothing but unknown words, over a large vocabulary', () => {
    const word = (at: number) => `w${at.toString(36)}xyz`
    const items = Array.from({ length: 500 }, (_, at) => ({
      t: Array.from({ length: 100 }, (_, other) => word(at * 100 + other)).join(' '),
    }))
    const index = createRanker<Odd>(items, { fields })
    const query = Array.from({ length: 64 }, (_, at) => `w${at}unknown`).join(' ')
    expect(index.rank(query)).toEqual([])
  })
})

test('scores fall in the order of the answer', () => {
  const index = createToolRanker([
    { name: 'weathr_now', description: 'weathr' },
    { name: 'mail', description: 'send mail to people' },
    { name: 'x', description: 'sends' },
  ])
  const scores = index.rank('get weather forecast. send mail people').map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
})
