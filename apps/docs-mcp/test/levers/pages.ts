import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const times = (length: number, text: (at: number) => string): string =>
  Array.from({ length }, (_, at) => text(at)).join('')

const page = (title: string, body: string): string =>
  `<title>${title}</title><main><h1 id="top">${title}</h1>${body}</main>`

const filler = times(30, () => 'The needle of the dial trembles. ')
const longRow = times(150, () => 'word ')

/** Pages for replies that leave something out, by name. */
const pages: Readonly<Record<string, string>> = {
  'dial.html': page(
    'Dial',
    times(14, (at) => `<h2 id="s${at}">Part ${at}</h2><p>No ${at}. ${filler}</p>`),
  ),
  'late.html': page(
    'Late',
    `<h2 id="long">Long</h2>${times(200, (at) => `<p>Filler sentence ${at} of it.</p>`)}<p>The zymurgy follows.</p>${times(200, (at) => `<p>More filler ${at} of it.</p>`)}`,
  ),
  'code.html': page(
    'Code',
    `<h2 id="run">Run</h2><p>Run it.</p><pre><code class="language-sh">make all the things${'\nmake sure that all of the things are made'.repeat(6)}</code></pre>`,
  ),
  'rows.html': page(
    'Rows',
    `<h2 id="options">Options</h2><p>All of them.</p><table><tr><th>Name</th><th>About</th></tr>${times(120, (at) => `<tr><td>opt-${at}</td><td>the reason with the number ${at}, at some length</td></tr>`)}</table>`,
  ),
  'wide.html': page(
    'Wide',
    `<table><tr><th>Name</th><th>About</th></tr>${times(100, (at) => `<tr><td>key-${at}</td><td>${longRow} ${at % 10 === 0 ? 'tenth' : ''}</td></tr>`)}</table>`,
  ),
  'deep.html': page(
    'Deep',
    times(
      40,
      (at) =>
        `<h2 id="c${at}">Chapter ${at} of the long book</h2><p>a</p>${times(8, (part) => `<h3 id="c${at}-${part}">Subject ${at} ${part} of a chapter</h3><p>text</p>`)}`,
    ),
  ),
  'flat.html': page(
    'Flat',
    times(180, (at) => `<h2 id="f${at}">Flat heading number ${at}</h2><p>text</p>`),
  ),
  'links.html': page(
    'Links',
    `<h2 id="list">List</h2><p>${times(40, (at) => `<a href="https://example.org/${at}">Link ${at}</a> `)}</p><h2 id="all">All</h2>${times(3, (part) => `<h3 id="all-${part}">Third ${part}</h3><p>${times(60, (at) => `<a href="https://example.org/${part}/${at}">Link ${part} ${at}</a> `)}</p>`)}`,
  ),
  'twice.html': page(
    'Twice',
    '<h2 id="a">Usage</h2><p>One.</p><h2 id="b">Usage</h2><p>Another.</p>',
  ),
}

export async function writePages(folder: string): Promise<void> {
  for (const [name, html] of Object.entries(pages)) await writeFile(join(folder, name), html)
}
