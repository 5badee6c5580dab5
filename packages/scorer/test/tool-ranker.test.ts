import { createToolRanker, readQuery, type ToolText } from '@pith-mcp/scorer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf } from '../src/terms/parts-of.ts'

const tool = (name: string, description: string, server = name): ToolText => ({
  server,
  name,
  description,
})
const first = (tools: readonly ToolText[], query: string) =>
  createToolRanker(tools).rank(query)[0]?.item.name

describe('the parts of a request', () => {
  const terms = (query: string) =>
    partsOf(query).map((part) => part.terms.map(({ term }) => term).join(' '))

  test.each([
    ['Create a branch and open a pull request', ['creat branch', 'open pull request']],
    // A list of details is no list of things to do.
    [
      'Book a room for Zhang San, room number 12, North Road, and send the bill to Li Si',
      ['book room zhang san number 12 north road', 'send bill li si'],
    ],
    [
      'Find the nonstop routes of the airport and the average price of gas',
      ['find nonstop rout airport', 'averag price gas'],
    ],
    ['What is the weather in Oslo? Draw a pie chart.', ['weather oslo', 'draw pie chart']],
    // Who asks, and why, is no part.
    [
      "I'm planning a big party for my friend. Find a cake shop nearby. Send an invitation mail.",
      ['find cake shop nearbi', 'send invit mail'],
    ],
    ['read and write files', []],
    ['Delete the file with the old notes', []],
  ])('%s', (query, parts) => {
    expect(terms(query)).toEqual(parts)
  })

  test('of any text are few', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(partsOf(text).length).toBeLessThanOrEqual(10)
      }),
    )
    expect(partsOf('Send the mail to him. '.repeat(5_000))).toHaveLength(10)
    expect(partsOf(`, and${' '.repeat(100_000)},`)).toEqual([])
  })
})

describe('words', () => {
  test.each([
    ['log into my account', 'account_login'],
    ['modify the order', 'order_modification'],
    ['show the repo', 'get_repository'],
    ['will there be fog in the morning', 'weather_now'],
    ['how much is a bitcoin', 'finance_data'],
  ])('%s → %s', (query, name) => {
    const tools = [
      tool('account_balance', 'Account balance of the customer'),
      tool('account_login', 'Account access'),
      tool('order_creation', 'Order form'),
      tool('order_modification', 'Order form'),
      tool('get_repository', 'Repository by its name'),
      tool('much_ado', 'Plays that are given in the evening'),
      tool('weather_now', 'Weather at a place'),
      tool('finance_data', 'Finance for everybody'),
    ]
    expect(first(tools, query)).toBe(name)
  })
})

test('a name that says all of the request comes before a longer one, however it is written', () => {
  for (const names of [
    ['get_rights_report', 'get_rights'],
    ['getRightsReport', 'getRights'],
  ] as const)
    expect(
      first(
        names.map((name) => tool(name, '', '')),
        'get the rights',
      ),
    ).toBe(names[1])
})

test('the first sentence of a description counts more than what follows', () => {
  const tools = [
    tool('a', 'Lists the pages of a book. Use it before you draw a map.'),
    tool('b', 'Draws a map of a place. Use it before you list pages.'),
  ]
  expect(first(tools, 'draw map')).toBe('b')
  expect(first(tools, 'list pages')).toBe('a')
})

test('what has other words of the request comes before more of the same', () => {
  const invoices = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) =>
    tool(name, 'Makes an invoice for a customer with the amount and the tax', 'bills'),
  )
  const holidays = tool('calendar', 'Days of the year that are public holidays')
  const others = Array.from({ length: 40 }, (_, at) => tool(`other_${at}`, 'Something else'))
  const place = (variety: number) =>
    createToolRanker([...invoices, holidays, ...others], { variety })
      .rank('make an invoice for a customer with the amount and the tax, before public days')
      .findIndex(({ item }) => item === holidays)
  expect(place(0)).toBe(6)
  expect(place(0.8)).toBe(1)
})

test.each([
  ['a name written as one', 'rank in the league', tool('getleaguerank', 'The rank of a league')],
  ['two words that are one in a name', 'city of a zip code', tool('zipcode', 'Place by number')],
  ['one word that is two in a name', 'the zipcode', tool('zip_code', 'The zipcode of a place')],
  ['the plural of an abbreviation', 'find the ids', tool('lookup', 'Finds IDs')],
])('%s is found', (_, query, requested) => {
  const others = [tool('rain', 'Rain of today'), tool('mail', 'Send mail'), tool('m', 'All of m')]
  expect(first([...others, requested], query)).toBe(requested.name)
})

describe('requests in Chinese', () => {
  test('of a hundred characters are read to their end', () => {
    const request =
      '我最近买了一套新的湿度控制系统，安装在客厅的角落，旁边还放着温湿度传感器。系统已经运行了好几天，目标数值设定为百分之五十，并且采用自动模式，家人都觉得很舒服，邻居们听说之后也很羡慕。现在请帮我查询明天的航班'
    const tools = [tool('get_flights', '查询航班'), tool('list_cars', '汽车保养')]
    expect(first(tools, request)).toBe('get_flights')
  })

  test('have 192 pairs of characters that count, others 64 words', () => {
    const [pairs, words] = [
      Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
      Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '),
    ].map((text) => readQuery(text, 'request').terms)
    expect(pairs).toHaveLength(192)
    expect(words).toHaveLength(64)
  })

  test('do not count pairs of characters that overlap as a phrase as well', () => {
    const tools = ['从服务器删除，件夹，文件', '从服务器删除，文件夹'].map((text) =>
      tool('remove', text),
    )
    const [one, other] = createToolRanker(tools, { variety: 0 }).rank('文件夹')
    expect(one?.score).toBe(other?.score)
  })
})

test('names as long as data are read at once', () => {
  const long = tool('ab'.repeat(50_000), 'ab '.repeat(50_000))
  expect(first([long, tool('mail', 'Send mail')], 'send a mail')).toBe('mail')
})

test('what ends a short form is no word', () => {
  expect(createToolRanker([tool('m', 'All of m')]).rank("I'm in Oslo")).toEqual([])
})

test('of two tools that say the same, the one beside a good answer comes first', () => {
  const tools = [
    tool('list', 'List the entries', 'other'),
    tool('list', 'List the entries', 'tide tables'),
    tool('tides', 'High and low tides of a port', 'tide tables'),
  ]
  const found = createToolRanker(tools).rank('list the tides of a port')
  expect(found.map(({ item }) => item)).toEqual([tools[2], tools[1], tools[0]])
})

test('words that were read are read again when the tools change', () => {
  const weather = tool('weather', 'Weather at a place')
  const ranker = createToolRanker([tool('mail', 'Send mail')])
  expect(ranker.rank('weather at a place')).toEqual([])
  ranker.add(weather)
  expect(ranker.rank('weather at a place').map(({ item }) => item)).toEqual([weather])
  ranker.remove(weather)
  expect(ranker.rank('weather at a place')).toEqual([])
})

test('the same query has the same answer whatever was asked before', () => {
  const word = fc.constantFrom('read', 'file', 'send', 'mail', 'weather', 'map', 'and', 'draw', ',')
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, text, (all, one, other) => {
      const tools = all.map((description, at) => tool(`tool_${at}`, description, `s${at % 2}`))
      const ranker = createToolRanker(tools)
      const before = ranker.rank(one).map(({ item, score }) => [item.name, score])
      ranker.rank(other)
      expect(ranker.rank(one).map(({ item, score }) => [item.name, score])).toEqual(before)
    }),
  )
})
