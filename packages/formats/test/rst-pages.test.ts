import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { rst } from '../src/readers/rst.ts'

async function readRst(text: string) {
  const page = await rst.read(text, { url: 'a.rst' })
  return {
    page,
    markdown: toMarkdown(page),
    unread: page.health.unread,
  }
}

test('roles, links and substitutions become their text', async () => {
  const { markdown } = await readRst(
    'See :func:`~os.path.join`, :ref:`the rope <rope>`, :option:`!-a`, `a link <https://x.example>`__,\nname_ and |v| of ``a *b*``, *em* **strong**, a\\*b, file_name and x*y*z.\n\n.. _name: https://y.example\n.. |v| replace:: 1.2\n.. A comment\n   of two lines.\n',
  )
  expect(markdown).toContain('See `join`, the rope, `-a`, a link, name and 1.2 of')
  expect(markdown).toContain('`a *b*`, *em* **strong**, a\\*b, file_name and x\\*y*z.')
  expect(markdown).not.toContain('comment')
})

test('links of the text and of contents lead to their pages', () => {
  const links = rst.links(
    'See :doc:`knots` and `a <https://x.example/>`_.\n\n.. toctree::\n   :maxdepth: 2\n\n   ropes\n   Sails <more/sails>\n',
    'https://docs.example/guide/index.rst',
  )
  expect(links.map(({ url }) => url)).toEqual(
    expect.arrayContaining([
      'https://docs.example/guide/knots.rst',
      'https://x.example/',
      'https://docs.example/guide/ropes.rst',
      'https://docs.example/guide/more/sails.rst',
    ]),
  )
})

test('directives keep their text, and say what is not included', async () => {
  const { page, markdown, unread } = await readRst(
    'T\n=\n\n.. warning:: Wet ropes\n   slip.\n\n.. versionadded:: 3.5\n   The knot.\n\n.. code-block:: sh\n   :linenos:\n\n   tie --all\n\n.. literalinclude:: tie.c\n\n.. image:: rope.png\n   :alt: A rope\n\n.. strange:: x\n\n   Kept.\n\n.. automodule:: ropes\n\n.. py:function:: tie(rope, *, knot=None)\n   untie(rope)\n\n   Ties.\n\n   :param rope: What to tie.\n',
  )
  expect(markdown).toContain('> **Warning:** Wet ropes slip.')
  expect(markdown).toContain('*Added in version 3.5:* The knot.')
  expect(markdown).toContain('```sh\ntie --all\n```')
  expect(markdown).toContain('[Not included: tie.c]')
  expect(markdown).toContain('A rope')
  expect(markdown).toContain('Kept.')
  expect(page.sections.find(({ kind }) => kind === 'entry')?.id).toBe('tie')
  expect(markdown).toContain('tie(rope, *, knot=None)')
  expect(unread).toEqual(['1 included file', '1 image', '1 directive'])
})

test.for([
  [
    'simple',
    '====  =====\nName  Use\n====  =====\na     one\n      two\nb     ``x``\n====  =====\n',
  ],
  [
    'grid',
    '+------+---------+\n| Name | Use     |\n+======+=========+\n| a    | one     |\n|      | two     |\n+------+---------+\n| b    | ``x``   |\n+------+---------+\n',
  ],
  [
    'list',
    '.. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Use\n   * - a\n     - one\n       two\n   * - b\n     - ``x``\n',
  ],
  ['csv', '.. csv-table::\n   :header: Name, Use\n\n   a, "one two"\n   b, ``x``\n'],
])('a %s table', async ([, text]) => {
  const { markdown } = await readRst(`Text.\n\n${text}\nEnd.`)
  expect(markdown).toContain('|Name|Use|\n|-|-|\n|a|one two|\n|b|`x`|\n\nEnd.')
})

test('a title, a language of code and what is cut are said', async () => {
  const rows = 'a  b\n'.repeat(5_001)
  const { markdown } = await readRst(
    `.. group-tab:: On *paper*\n\n   Ink.\n\n.. highlight:: c\n\nText::\n\n   int a;\n\n=  =\n${rows}=  =\n\nEnd.`,
  )
  expect(markdown).toContain('**On *paper***\n\nInk.')
  expect(markdown).toContain('```c\nint a;\n```')
  expect(markdown).toContain('[1 more rows, not read]')
})

test.for([
  'x'.repeat(1_000_000),
  '`'.repeat(1_000_000),
  '*'.repeat(1_000_000),
  '|'.repeat(1_000_000),
  ' '.repeat(1_000_000),
  '=\n'.repeat(300_000),
  '- '.repeat(100_000),
  Array.from({ length: 800 }, (_, at) => `${'  '.repeat(at)}x`).join('\n\n'),
  '.. a::\n'.repeat(100_000),
  `.. |a| replace:: ${'z'.repeat(900)}\n\n${'|a| '.repeat(200_000)}`,
  `${'===  ===\n'.repeat(50_000)}\n`,
  '::\n\n'.repeat(200_000),
  `${'= '.repeat(10_000)}\n${'a\n'.repeat(20_000)}${'= '.repeat(10_000)}\n\n`,
  `${'+--'.repeat(10_000)}+\n${'|a|a|\n'.repeat(50_000)}${'+--'.repeat(10_000)}+\n\n`,
  Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}.. note::`).join('\n\n'),
])('a hostile text is read in bounded work: %#', async (text) => {
  const { markdown } = await readRst(`Title\n=====\n\n${text}`)
  expect(markdown.length).toBeLessThan(4_000_000)
})

test('a cell of a grid that spans rows or columns has all its lines', async () => {
  const { markdown } = await readRst(
    '+------+-------+\n| A    | B     |\n+======+=======+\n| one  | tall  |\n+------+ cell  |\n| two  | here  |\n+------+-------+\n| wide         |\n+------+-------+\n| last | row   |\n+------+-------+\n',
  )
  expect(markdown).toContain('|A|B|\n|-|-|\n|one|tall cell here|\n|two||\n|wide||\n|last|row|')
})

test('a cell of a simple table that spans columns is whole', async () => {
  const { markdown } = await readRst(
    '=====  =====  ======\n   Inputs     Output\n------------  ------\n  A      B    A or B\n=====  =====  ======\nFalse  False  False\nlong span     x\n------------  ------\nTrue   False  True\n=====  =====  ======\n',
  )
  expect(markdown).toContain('|Inputs||Output|')
  expect(markdown).toContain('|long span||x|\n|True|False|True|')
})

test('lists begin with their number, and letters stay letters', async () => {
  const { markdown } = await readRst(
    'Some:\n\n(3) three\n(4) four\n\nc. cee\nd. dee\n   of two lines\n\n#. first\n#. second\n\n- sign\n\n* another\n',
  )
  expect(markdown).toContain('3. three\n4. four')
  expect(markdown).toMatch(/- c\\?\. cee\n- d\\?\. dee of two lines/)
  expect(markdown).toContain('1. first\n2. second')
})
