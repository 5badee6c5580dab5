import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import rehypeAutolinkHeadings from 'rehype-autolink-headings'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const renderer = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSlug)
  .use(rehypeAutolinkHeadings, {
    behavior: 'append',
    properties: { className: ['headerlink'], title: 'Permalink' },
    content: { type: 'text', value: '¶' },
  })
  .use(rehypeStringify)

/** Render the manual as a web site, with the navigation that any web site has around its pages. */
export function renderManual(from, to) {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from).filter((name) => name.endsWith('.md'))
  const pages = names.map((name) => {
    const markdown = readFileSync(join(from, name), 'utf8').replaceAll(/\.md\)/g, '.html)')
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? name
    return {
      file: name.replace(/\.md$/, '.html'),
      title,
      body: String(renderer.processSync(markdown)),
    }
  })
  const links = pages.map(({ file, title }) => `<li><a href="${file}">${title}</a></li>`).join('')
  for (const { file, title, body } of pages)
    writeFileSync(
      join(to, file),
      `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} — Pith manual</title></head>
<body>
<header><a href="index.html">Pith</a></header>
<nav aria-label="Manual"><ul>${links}</ul></nav>
<main>${body}</main>
<footer>Pith is free software under the MIT licence.</footer>
</body>
</html>
`,
    )
}
