import { expect, test } from 'vitest'
import { sectionExcerpt } from '../src/excerpt/section-excerpt.ts'

const filler = (topic: string, count = 12): string =>
  Array.from({ length: count }, (_, at) => `The ${topic} is looked after on day ${at}.`).join(' ')

/** The parts of an excerpt, between what is left out. */
const partsOf = (text: string): string[] =>
  text
    .split(/^…$/m)
    .map((part) => part.trim())
    .filter((part) => part !== '')

test('a short text is shown whole', () => {
  const text = 'Ropes are hemp.\n\n- Tar them.'
  expect(sectionExcerpt(text, 'tar')).toEqual({ text, isWhole: true, missing: [] })
})

test('a long text is shown by its beginning and the passages with the words', () => {
  const text = `A winch pulls. ${filler('deck')}\n\n${filler('mast')} The pawl keeps the drum from turning back. ${filler('sail')}`
  const excerpt = sectionExcerpt(text, 'pawl drum')
  expect(excerpt.isWhole).toBe(false)
  expect(excerpt.text.length).toBeLessThanOrEqual(1_200)
  const [first = '', second = ''] = partsOf(excerpt.text)
  expect(first).toMatch(/^A winch pulls\. The deck/)
  expect(second).toContain('The pawl keeps the drum from turning back.')
  for (const part of partsOf(excerpt.text)) expect(part).toMatch(/^The |^A /)
})

test('an excerpt has up to 1,200 characters, and uses them', () => {
  const words = ['pawl', 'drum', 'crank', 'spindle']
  const text = words.map((word) => `${filler('deck', 20)} The ${word} turns.`).join('\n\n')
  const { length } = sectionExcerpt(text, words.join(' ')).text
  expect(length).toBeLessThanOrEqual(1_200)
  expect(length).toBeGreaterThan(1_000)
})

test('the sentence about the default stays with the one before it', () => {
  const long = `The reefing line shortens the sail when the wind is above the given force, ${'and so on '.repeat(40)}.`
  const text = `${filler('deck', 30)}\n\n${filler('mast', 8)} ${long} Default is force six. ${filler('sail', 30)}`
  expect(sectionExcerpt(text, 'reefing line wind').text).toContain('Default is force six.')
})

test('a row comes with the header of its table, and a row before a paragraph with that', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `|knot_${at}|for rope ${at}|`).join('\n')
  const table = `|Name|Use|\n|-|-|\n${rows}`
  const row = sectionExcerpt(`${table}\n\n${filler('deck', 40)}`, 'knot_41').text
  expect(row).toMatch(/\|Name\|Use\|\n\|-\|-\|\n(?:\|knot_\d+\|.*\n)*\|knot_41\|/)
  const option = `|shelf_size|Type: integer|\n|-|-|\n\nHow many books a shelf takes.`
  const paragraph = sectionExcerpt(
    `${filler('deck', 40)}\n\n${option}\n\n${filler('sail', 40)}`,
    'how many books',
  ).text
  expect(paragraph).toContain('|shelf_size|')
})

test('an item that is named like the query comes before mentions of it', () => {
  const mentions = Array.from(
    { length: 40 },
    (_, at) => `- option_${at}: see also keel and keel and keel.`,
  ).join('\n')
  const text = `${mentions}\n- keel: the lowest timber of a ship.\n${mentions}`
  expect(sectionExcerpt(text, 'keel', 400).text).toContain('- keel: the lowest timber')
})

test('long code is shown in lines between its fences', () => {
  const lines = Array.from({ length: 80 }, (_, at) => `hoist(sail_${at}, ${at})`).join('\n')
  const { text } = sectionExcerpt(`${filler('deck', 30)}\n\n\`\`\`js\n${lines}\n\`\`\``, 'sail_50')
  expect(text).toMatch(/^```js\n(?:hoist\(.*\)\n)*hoist\(sail_50, 50\)\n(?:hoist\(.*\)\n)*```$/m)
  expect(text.match(/^```/gm)?.length).toBe(2)
})

test('words that are only in parts left out are named', () => {
  const text = `${filler('deck', 20)} A gaff spreads its head. ${filler('mast', 20)} A boom spreads its foot. ${filler('sail', 20)}`
  expect(sectionExcerpt(text, 'gaff boom', 40).missing).toHaveLength(1)
  expect(sectionExcerpt(text, 'gaff boom').missing).toEqual([])
})

test.each([1, 30, 200, 799, 800, 2_500])('no excerpt is longer than %i characters', (maxLength) => {
  const text = `${filler('deck', 40)}\n\n|a|b|\n|-|-|\n|deck|${'x'.repeat(900)}|\n\n\`\`\`\n${'deck '.repeat(300)}\n\`\`\``
  for (const query of ['deck', 'day 3', 'nothing'])
    expect(sectionExcerpt(text, query, maxLength).text.length).toBeLessThanOrEqual(maxLength)
})

test('what begins with a name of the query stands first and whole, before examples of it', () => {
  const example = '```json\n{ "max-pawl-turns": 5,\n  "default": 7, "value": 9 }\n```'
  const item = `- \`max-pawl-turns\` — how often the pawl turns. ${'It may turn on and on. '.repeat(12)}The default value is 10.`
  const term = item.replace(/^- `(.*?)` — /, '**$1** ')
  for (const about of [item, term]) {
    const text = [filler('deck', 40), example, filler('mast', 40), about, filler('sail', 40)]
    const excerpt = sectionExcerpt(text.join('\n\n'), 'default value of max-pawl-turns', 900)
    expect(excerpt.text).toContain(about)
  }
})

test('an excerpt uses what it is given, and no less of more', () => {
  const text = Array.from({ length: 9 }, (_, at) => `The pawl ${at} turns. ${filler('deck')}`)
  const lengths = [600, 1_200, 2_400, 4_800].map(
    (most) => sectionExcerpt(text.join('\n\n'), 'pawl', most).text.length / most,
  )
  for (const share of lengths) expect(share).toBeGreaterThan(0.8)
})
