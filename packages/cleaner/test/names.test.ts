import { cleanHtml, type Page, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const clean = (body: string): Page => cleanHtml(`<main>${body}</main>`)
const outline = ({ sections }: Page): string[] =>
  sections
    .filter(({ kind }) => kind !== 'continuation')
    .map(({ id, title, parent }) => `${parent ? `${parent} > ` : ''}${title} #${id}`)

describe('an entry of a reference is one section', () => {
  const refentry = (name: string): string => `<div class="refentry"><a name="${name}"></a>
    <div class="refnamediv"><h2>Name</h2><p>${name}, ${name}_all — stack crates</p></div>
    <div class="refsynopsisdiv"><h2>Synopsis</h2><pre>int ${name}(void);</pre></div>
    <div class="refsect1"><h2>Description</h2><p>Stacks crates.</p>
    <div class="refsect2"><h3>Limits</h3><p>Ten.</p></div></div></div>`

  test('DocBook: the title is its name, its parts are below', () => {
    const page = clean(`<h1>Crates</h1>${refentry('crate_stack')}${refentry('crate_sort')}`)
    expect(outline(page).slice(1)).toEqual([
      'crates > crate_stack, crate_stack_all #crate_stack',
      'crate_stack > Synopsis #synopsis',
      'crate_stack > Description #description',
      'description > Limits #limits',
      'crates > crate_sort, crate_sort_all #crate_sort',
      'crate_sort > Synopsis #synopsis-2',
      'crate_sort > Description #description-2',
      'description-2 > Limits #limits-2',
    ])
  })

  test('headings after the box of an entry are not parts of it', () => {
    const page = clean(`${refentry('crate_stack')}<h2 id="end">Afterwords</h2><p>Bye.</p>`)
    expect(outline(page).at(-1)).toBe('Afterwords #end')
  })

  test('a manual page without classes', () => {
    const page = clean(`<h1 id="NAME">NAME</h1><p>winch - lift a load</p>
      <h1 id="SYNOPSIS">SYNOPSIS</h1><p>winch [-r]</p><h1 id="OPTIONS">OPTIONS</h1><p>-r</p>`)
    expect(outline(page)).toEqual([
      'winch #NAME',
      'NAME > SYNOPSIS #SYNOPSIS',
      'NAME > OPTIONS #OPTIONS',
    ])
    expect(page.title).toBe('winch')
  })

  test('a heading above that has the name stays the title', () => {
    const page = clean(`<h1>winch(1)</h1><h2>NAME</h2><p>winch - lift a load</p>
      <h2>SYNOPSIS</h2><p>winch [-r]</p>`)
    expect(outline(page)).toEqual([
      'winch(1) #winch-1',
      'winch-1 > NAME #name',
      'winch-1 > SYNOPSIS #synopsis',
    ])
  })

  test('a form with the field «Name» is no manual page', () => {
    const page = clean(
      `<h2>Name</h2><p>Your name - as in the passport</p><h2>Age</h2><p>Years.</p>`,
    )
    expect(outline(page)).toEqual(['Name #name', 'Age #age'])
  })
})

describe('labels that repeat are text of their section', () => {
  const option = (name: string): string => `<h3 id="${name}">${name}</h3><dl>
    <dt>Effect:</dt><dd><p>Turns ${name} on.</p></dd><dt>Initially:</dt><dd><p>off</p></dd></dl>`

  test('terms', () => {
    const page = clean(['mast', 'keel', 'stern'].map(option).join(''))
    expect(outline(page)).toEqual(['mast #mast', 'keel #keel', 'stern #stern'])
    expect(toMarkdown(page)).toContain('**Effect**: Turns keel on.\n\n**Initially**: off')
  })

  test('headings', () => {
    const page = clean(
      ['mast', 'keel', 'stern']
        .map((name) => `<h3 id="${name}">${name}</h3><h4>Initially:</h4><p>off</p>`)
        .join(''),
    )
    expect(outline(page)).toEqual(['mast #mast', 'keel #keel', 'stern #stern'])
    expect(toMarkdown(page)).toContain('**Initially:**\n\noff')
  })

  test('terms in two places, with a fragment, of options and of code are sections', () => {
    const term = (dt: string): string => `<h3>Part</h3><dl>${dt}<dd><p>Text.</p></dd></dl>`
    const entries = (dt: string, times: number): number =>
      clean(term(dt).repeat(times)).sections.filter(({ kind }) => kind === 'entry').length
    expect(entries('<dt>Effect</dt>', 2)).toBe(2)
    expect(entries('<dt>Effect</dt>', 3)).toBe(0)
    expect(entries('<dt id="e">Effect</dt>', 3)).toBe(3)
    expect(entries('<dt>--help</dt>', 3)).toBe(3)
    expect(entries('<dt><code>size</code></dt>', 3)).toBe(3)
  })
})

describe('rows and lines in bold that repeat begin sections', () => {
  const words = ['anchor', 'beacon', 'compass', 'deck', 'engine']
  const row = (name: string): string =>
    `<table><tr><td>${name}_size</td><td>Scope: ship</td><td>Default: 7</td></tr></table><p>The ${name}.</p>`

  test('a row after an anchor: its name and default value are the title', () => {
    const page = clean(
      `<h2>Options</h2>${words.map((name) => `<a id="OPT_${name}"></a>${row(name)}`).join('')}`,
    )
    expect(outline(page)).toEqual([
      'Options #options',
      ...words.map((name) => `options > ${name}_size (default: 7) #OPT_${name}`),
    ])
    expect(page.sections.at(-1)?.blocks.map(({ markdown }) => markdown.split('\n').at(-1))).toEqual(
      ['|engine_size|Scope: ship|Default: 7|', 'The engine.'],
    )
  })

  test('a row of labelled values needs no anchor, and a heading below does not enclose the next', () => {
    const page = clean(
      `<h2>Options</h2>${words.map((name) => `${row(name)}<h4>Note</h4><p>N.</p>`).join('')}`,
    )
    expect(outline(page).filter((line) => line.includes('_size ('))).toEqual(
      words.map((name) => `options > ${name}_size (default: 7) #${name}_size-default-7`),
    )
  })

  test('a line in bold after an anchor and a rule', () => {
    const page = clean(
      `<h2>Calls</h2>${words
        .map(
          (name) =>
            `<a name="call_${name}"></a><span style="display:none">${name}</span><hr><p><b>CALL ${name};<br>CALL ${name} =</b> <i>n</i></p><p>Calls.</p>`,
        )
        .join('')}`,
    )
    expect(outline(page).slice(1)).toEqual(
      words.map((name) => `calls > CALL ${name} #call_${name}`),
    )
  })

  test.for([
    ['four', words.slice(1).map((name) => `<a id="x${name}"></a>${row(name)}`)],
    ['captions', words.map((name) => `<a id="x${name}"></a><p><b>${name}</b></p>${row(name)}`)],
    ['the same title', words.map((name) => `<a id="x${name}"></a><p><b>Note</b></p><p>T.</p>`)],
    [
      'in a list',
      words.map((name) => `<li><a id="x${name}"></a><p><b>${name} a</b></p><p>T.</p></li>`),
    ],
  ] as const)('%s: none', ([, parts]) => {
    const titles = clean(`<h2>Options</h2>${parts.join('')}`).sections.map(({ id }) => id)
    expect(titles.filter((id) => id.startsWith('x'))).toEqual([])
  })
})

describe('a list of terms', () => {
  test('a heading in a list that is not closed begins a section', () => {
    const page = clean(`<h2>Codes</h2><dl><dt id="one">ONE</dt><dd>First.</dd>
      <h2 id="more">More</h2><p>Text.</p><dl><dt id="two">TWO</dt><dd>Second.</dd></dl>`)
    expect(outline(page)).toEqual([
      'Codes #codes',
      'codes > ONE #one',
      'More #more',
      'more > TWO #two',
    ])
  })

  test('long descriptions without paragraphs are sections', () => {
    const page = clean(`<h2>Commands</h2><dl><dt>bind</dt><dd>${'Ties a rope. '.repeat(60)}</dd>
      <dt>haul</dt><dd>Pulls a rope.</dd></dl>`)
    expect(outline(page).slice(1)).toEqual(['commands > bind #bind', 'commands > haul #haul'])
  })
})

describe('names in a row share the text below the last', () => {
  test('the title has all names and the values of those before it', () => {
    const page = clean(`<h2>Limits</h2><h3 id="min">min_load</h3><p>(default 20)</p>
      <h3 id="max">max_load</h3><p>(default 90)</p><p>Both bound the load.</p>`)
    expect(outline(page)).toEqual([
      'Limits #limits',
      'limits > min_load (default 20), max_load #min',
    ])
    expect(page.sections.at(-1)?.aliases).toEqual(['max'])
    expect(toMarkdown(page)).toContain('(default 90)\n\nBoth bound the load.')
  })

  test('words are titles of their own', () => {
    const page = clean('<h2>Authors</h2><h3>Anna Berg</h3><h3>Overview</h3><p>Text.</p>')
    expect(outline(page)).toHaveLength(3)
  })
})
