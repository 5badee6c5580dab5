// The test cases of turndown and of hast-util-to-mdast as inputs: how many give Markdown that says
// the same as theirs, and which do not.
//   git clone https://github.com/mixmark-io/turndown
//   git clone https://github.com/syntax-tree/hast-util-to-mdast
//   node suites.mjs turndown hast-util-to-mdast
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseHTML } from 'linkedom'
import { unified } from 'unified'
import {
  compilePage,
  rehypeMarkdown,
  rehypeParse5,
  toMarkdown,
} from '../../packages/cleaner/dist/index.js'
import { meaningOf } from './meaning.mjs'

/** Nothing is noise here: the cases are about what becomes of each element. */
const convert = unified()
  .use(rehypeParse5)
  .use(() => (root) => {
    const html = root.children.find(({ tagName }) => tagName === 'html')
    root.children = html.children.filter(({ tagName }) => tagName !== 'head')
  })
  .use(rehypeMarkdown, { links: 'keep' })
  .use(compilePage)
  .freeze()

/** Cases that ask for no options; the others are about turndown's own. */
function turndownCases(folder) {
  const { document } = parseHTML(readFileSync(`${folder}/test/index.html`, 'utf8'))
  return [...document.querySelectorAll('.case')]
    .filter((item) => !item.hasAttribute('data-options'))
    .map((item) => ({
      name: item.getAttribute('data-name'),
      html: item.querySelector('.input').innerHTML,
      expected: item.querySelector('.expected').textContent,
    }))
}

function mdastCases(folder) {
  const fixtures = `${folder}/test/fixtures`
  return readdirSync(fixtures)
    .filter((name) => existsSync(`${fixtures}/${name}/index.md`))
    .map((name) => ({
      name,
      html: readFileSync(`${fixtures}/${name}/index.html`, 'utf8').replaceAll('·', ' '),
      expected: readFileSync(`${fixtures}/${name}/index.md`, 'utf8'),
    }))
}

/** Why a case says something else, by what the difference is. */
const onPurpose = {
  'a term and its description are an entry, not nested lists': ['dl'],
  'an underscore around one word stays: it may be a name': [
    'escaping delimiters around short words and numbers',
    'img with escaped content in alt',
  ],
  'headings in quotations and links stand free, to be found': [
    'blockquote',
    'html in blockquote',
    'implicit-paragraphs',
    'straddling',
  ],
  'the words of captions and summaries are kept, and marked': [
    'caption-col-colgroup',
    'details-summary',
    'table-headless',
  ],
  'a table of one column, or with a table in it, is layout': [
    'table-extra-elements',
    'table-in-table',
    'table-missing-elements',
    'table-rowspan',
    'text-wrap',
  ],
  'empty tables, empty code and comments say nothing': ['comment', 'listing', 'pre', 'table'],
  'controls and media are no text': [
    'audio',
    'button',
    'datalist-input-option',
    'fieldset',
    'form',
    'iframe',
    'input',
    'input-checkbox-radio',
    'ol',
    'output',
    'select-optgroup-option',
    'textarea',
    'ul',
    'video',
  ],
  'there is no mark for what is highlighted, underlined or a variable': ['mark', 'u', 'var'],
  'a power is written as one': ['sup-sub'],
  'a link to the page itself is its text': ['nav'],
  'the option is not ours': ['ignore', 'quotes', 'quotes-alt'],
  'a pre without code is code': ['escaping ~~~'],
  'what the steps before take away stays where they are left out': [
    'base',
    'canvas',
    'dialog',
    'frame-frameset-noframes',
    'math',
    'menu-menuitem',
    'svg',
  ],
  'an invisible character less': ['wbr'],
  'a list without an item around it is the content of one': ['ul-ul'],
}

const explained = new Set(Object.values(onPurpose).flat())

function run(title, cases) {
  const different = cases
    .map((item) => ({ ...item, actual: toMarkdown(convert.processSync(item.html).result) }))
    .filter(({ actual, expected }) => meaningOf(actual) !== meaningOf(expected))
  const unexplained = different.filter(({ name }) => !explained.has(name))
  console.log(
    `${title}: ${cases.length - different.length} of ${cases.length} say the same, ` +
      `${different.length - unexplained.length} something else on purpose`,
  )
  for (const [reason, names] of Object.entries(onPurpose)) {
    const found = different.filter(({ name }) => names.includes(name)).map(({ name }) => name)
    if (found.length > 0) console.log(`  ${reason}: ${found.join(', ')}`)
  }
  for (const { name, html, expected, actual } of unexplained)
    console.log(`\n--- ${name}\n${html}\n--- theirs\n${expected}\n--- ours\n${actual}`)
}

const [turndown, mdast] = process.argv.slice(2)
if (!turndown || !mdast) {
  console.error('node suites.mjs <checkout of turndown> <checkout of hast-util-to-mdast>')
  process.exit(1)
}
run('turndown', turndownCases(turndown))
run('hast-util-to-mdast', mdastCases(mdast))
