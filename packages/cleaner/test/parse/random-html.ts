/** Random numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const words = (list: string): string[] => list.split(' ')

const blocks = words(
  'div p section article main header footer blockquote figure details address pre',
)
const inlines = words('span a b i em strong code small font u s tt kbd sub abbr nobr custom-x')
const voids = words('br img hr input wbr link meta base area embed source param col track')
const allTags = words(
  'a abbr address applet area article aside b base big blockquote body br button caption center code col colgroup custom-x dd details dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h6 head header hgroup hr html i iframe image img input kbd keygen li link listing main marquee math menu meta nav nobr noembed noframes noscript object ol optgroup option p param plaintext pre rb rp rt rtc ruby s script search section select small source span strike strong style sub summary svg table tbody td template textarea tfoot th thead title tr track tt u ul var wbr xmp mi mo mn ms mtext mrow annotation annotation-xml mglyph desc foreignObject path g circle lineargradient constructor __proto__',
)
const nested = words(
  'select select select template template table table tr td caption col b i a nobr p div form input textarea script hr br svg object button li body option',
)
const parts = words('option option optgroup optgroup hr template table td b script')
const texts = [
  ...['x', ' ', '\n', 'text', ' a b ', '\n\nline', '\t', '\r\n', '\r', '\f', 'é', '😀', '\ud800'],
  ...['&amp;', '&lt', '&nbsp;', '&#32;', '&#x41;', '&#10;', '&#13;', '&#0;', '&notit;', '&am', '&'],
  ...[
    '<',
    '< ',
    '<3',
    'a<b',
    '</',
    '</>',
    '</ x>',
    '<?php ?>',
    '<!x>',
    '<![CDATA[x]]>',
    '>',
    '\0',
    '\ufeff',
  ],
]
const comments = [
  '<!---->',
  '<!-- a -->',
  '<!-->',
  '<!--->',
  '<!--a--!>',
  '<!-- <b> -->',
  '<!--a',
  '<!-',
]
const attributes = [
  ...[
    'id=a',
    'class="a b"',
    "class='c'",
    'CLASS=d',
    'class=""',
    'class=" x  y "',
    'hidden',
    'hidden=""',
  ],
  ...[
    'hidden=until-found',
    'href="?a=1&amp;b&copy=2&lt"',
    'data-a-b=1',
    'data-A',
    'type=hidden',
    'type=HIDDEN',
  ],
  ...[
    'constructor',
    '__proto__=1',
    '=x',
    'a=b=c',
    '"',
    "'a",
    'x=',
    'x = y',
    'style="a:b"',
    'download',
    '/',
    '/x',
  ],
  ...[
    'viewbox="0 0 1 1"',
    'xlink:href=#a',
    'xmlns:xlink=b',
    'xml:lang=en',
    'definitionurl=u',
    'encoding=text/html',
  ],
  ...[
    'lang=a lang=b',
    'class=a classname=b',
    'for=a htmlfor=b',
    'colspan=2',
    'tabindex=\n1',
    'é=É',
    'ÀB=c',
    'k\u212a=1',
  ],
]
const doctypes = [
  ...[
    '<!doctype html>',
    '<!DOCTYPE html>',
    '<!doctype html\n>',
    '<!doctype>',
    '<!doctype html SYSTEM "about:legacy-compat">',
  ],
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
]

/** Writes HTML: documents that are nearly valid, tag soup, and mutations of both. */
export class RandomHtml {
  readonly #random: () => number
  readonly #seeds: readonly string[]

  /** `seeds` are documents to mutate. */
  constructor(seed: number, seeds: readonly string[] = []) {
    this.#random = createRandom(seed)
    this.#seeds = seeds
  }

  document(): string {
    const kind = this.#random()
    if (kind < 0.3) return this.#mutated(this.#page())
    if (kind < 0.4 && this.#seeds.length > 0)
      return this.#mutated(this.#of(this.#seeds) + (this.#is(0.3) ? this.#of(this.#seeds) : ''))
    if (kind < 0.55) return this.#page()
    if (kind < 0.75) return this.#start() + this.#many(3, () => this.#nest(6))
    return (
      (this.#is(0.5) ? this.#start() : '') + this.#soup(1 + this.#below(this.#is(0.5) ? 6 : 25))
    )
  }

  #is(share: number): boolean {
    return this.#random() < share
  }
  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
  #of(list: readonly string[]): string {
    return list[this.#below(list.length)] as string
  }

  #start(): string {
    return this.#is(0.7) ? this.#of(doctypes) : ''
  }

  #page(): string {
    const head = this.#is(0.5) ? `<head>${this.#metadata()}</head>` : this.#metadata()
    const body = this.#many(4, () => this.#block(4))
    return `${this.#start()}<html>${head}${this.#text()}${this.#is(0.6) ? `<body>${body}</body>` : body}</html>${this.#text()}`
  }

  #metadata(): string {
    return this.#many(3, () =>
      this.#of([
        '<title>a &amp; b</title>',
        '<meta charset=utf-8>',
        '<style>a<b{}</style>',
        '<script>if (a<b) "</p>"</script>',
        '<noscript><link rel=x></noscript>',
        '<noscript><img></noscript>',
        '<template><p>x</template>',
        '<script><!-- <script> --></script>',
        ' ',
        '\n',
        '<!-- c -->',
      ]),
    )
  }

  #many(most: number, write: () => string): string {
    let all = ''
    for (let count = this.#below(most + 1); count > 0; count--) all += write()
    return all
  }

  #block(depth: number): string {
    if (depth === 0) return this.#text()
    const inside = () => this.#many(3, () => this.#block(depth - 1))
    const inline = () => this.#many(3, () => this.#inline(depth - 1))
    const end = (tag: string) => (this.#is(0.8) ? `</${tag}>` : '')
    switch (this.#below(9)) {
      case 0: {
        const tag = this.#of(['ul', 'ol', 'menu'])
        return `<${tag}>${this.#many(3, () => `<li>${inline()}${inside()}${end('li')}\n`)}</${tag}>`
      }
      case 1:
        return `<dl>${this.#many(3, () => `<dt${this.#attributes()}>${inline()}${end('dt')}<dd>${inside()}${end('dd')}`)}</dl>`
      case 2:
        return this.#table(inside, end)
      case 3: {
        const tag = `h${1 + this.#below(6)}`
        return `<${tag}${this.#attributes()}>${inline()}${end(tag)}`
      }
      case 4:
        return `<pre>${this.#of(['\n', '', '\n\n', '&#10;'])}${inline()}</pre>`
      case 5:
        return `<form>${inline()}<button>${inline()}</button>${this.#select(end)}<textarea>\na&lt;<b></textarea></form>`
      case 6:
        return this.#is(0.5)
          ? `<template>${inside()}<script></template></script></template>`
          : `<object>${inside()}</object>`
      default: {
        const tag = this.#of(blocks)
        return `<${tag}${this.#attributes()}>${inline()}${tag === 'p' ? '' : inside()}${end(tag)}`
      }
    }
  }

  #table(inside: () => string, end: (tag: string) => string): string {
    const cell = () => {
      const tag = this.#of(['td', 'th'])
      return `<${tag}${this.#attributes()}>${inside()}${end(tag)}`
    }
    const row = () => `<tr>${this.#many(3, cell)}${end('tr')}${this.#of(['', '\n', ' '])}`
    const group = this.#of(['tbody', 'thead', 'tfoot'])
    const before = this.#is(0.3) ? `<caption>${inside()}${end('caption')}` : ''
    const columns = this.#is(0.3) ? `<colgroup><col>\n<col>${end('colgroup')}` : ''
    const rows = this.#is(0.5) ? `<${group}>${this.#many(3, row)}${end(group)}` : this.#many(3, row)
    return `<table${this.#attributes()}>${before}${columns}${rows}</table>`
  }

  #select(end: (tag: string) => string): string {
    const option = () => `<option${this.#attributes()}>${this.#text()}${end('option')}`
    const group = () => `<optgroup>${this.#many(3, option)}${end('optgroup')}`
    return `<select>${this.#is(0.5) ? this.#many(3, option) : this.#many(2, group)}</select>`
  }

  /** Selects, templates, tables and formatting in one another, some without their end tag. */
  #nest(depth: number, tags = nested): string {
    if (depth === 0 || this.#is(0.15)) return this.#of(texts.slice(0, 8))
    const tag = this.#of(tags)
    const next = /^(select|opt)/.test(tag) ? parts : nested
    const inside = this.#many(4, () => this.#nest(depth - 1, next))
    const end = (name: string) =>
      this.#is(0.7) ? `</${this.#is(0.9) ? name : this.#of(nested)}>` : ''
    if (tag !== 'table') return `<${tag}>${inside}${end(tag)}`
    const before = this.#of(['', `<template>${inside}</template>`, '<caption>', '<colgroup>'])
    return `<table>${before}<tr><td>${inside}${end('td')}${end('table')}`
  }

  #inline(depth: number): string {
    if (depth <= 0 || this.#is(0.4)) return this.#text()
    const inside = () => this.#many(3, () => this.#inline(depth - 1))
    switch (this.#below(6)) {
      case 0:
        return `<${this.#of(voids)}${this.#attributes()}${this.#of(['', '/', ' /'])}>`
      case 1:
        return `<svg viewbox="0 0 1 1"><title>t</title><g><path d="a"/></g>${this.#text()}</svg>`
      case 2:
        return `<math><mi>x</mi><mrow${this.#attributes()}><mo>&lt;</mo></mrow><annotation encoding="t">a</annotation></math>`
      case 3:
        return this.#of(comments)
      default: {
        const tag = this.#of(inlines)
        return `<${tag}${this.#attributes()}>${inside()}${this.#is(0.85) ? `</${tag}>` : ''}`
      }
    }
  }

  #text(): string {
    return this.#many(3, () => this.#of(this.#is(0.7) ? texts.slice(0, 5) : texts))
  }

  #attributes(): string {
    return this.#is(0.6) ? '' : this.#many(3, () => ` ${this.#of(attributes)}`)
  }

  #soup(length: number): string {
    let soup = ''
    for (let count = 0; count < length; count++) soup += this.#token()
    return soup
  }

  #token(): string {
    const kind = this.#random()
    if (kind < 0.2) return this.#text()
    if (kind < 0.25) return this.#of(comments)
    if (kind < 0.27) return this.#of(doctypes)
    const name = this.#of(
      this.#is(0.4) ? [...blocks, ...inlines, 'table', 'tr', 'td', 'li', 'ul'] : allTags,
    )
    const tag = this.#is(0.05) ? name.toUpperCase() : name
    const end = this.#is(0.05) ? '/' : ''
    if (kind < 0.65) return `<${tag}${this.#attributes()}${end}>`
    return `</${tag}${this.#is(0.05) ? this.#attributes() : ''}>`
  }

  #mutated(page: string): string {
    let html = page
    for (let count = 1 + this.#below(3); count > 0; count--) {
      const at = this.#below(html.length + 1)
      const to = at + this.#below(12)
      switch (this.#below(5)) {
        case 0:
          html = html.slice(0, at)
          break
        case 1:
          html = html.slice(0, at) + html.slice(to)
          break
        case 2:
          html = html.slice(0, to) + html.slice(at)
          break
        case 3:
          html = html.slice(0, at) + this.#token() + html.slice(at)
          break
        default: {
          const start = html.indexOf('<', at)
          if (start >= 0) html = html.slice(0, start) + this.#token() + html.slice(start)
        }
      }
    }
    return html
  }
}
