import {
  compilePage,
  type Page,
  rehypeAnchors,
  rehypeMainRegion,
  rehypeMarkdown,
  rehypeParse5,
  rehypeProfile,
  rehypeStripNoise,
  toMarkdown,
} from '@pith-mcp/cleaner'
import type { Root } from 'hast'
import { unified } from 'unified'
import { expect, test } from 'vitest'

test('the steps take a plugin of somebody else between them', () => {
  const shout = () => (tree: Root) => {
    const main = tree.children[0]
    if (main?.type === 'element') main.children.push({ type: 'text', value: 'Added.' })
  }
  const file = unified()
    .use(rehypeParse5)
    .use(rehypeProfile)
    .use(rehypeMainRegion)
    .use(rehypeAnchors)
    .use(rehypeStripNoise)
    .use(shout)
    .use(rehypeMarkdown)
    .use(compilePage, { url: 'x' })
    .processSync('<main><h1>Title</h1><p>Text.</p></main>')
  const page = file.result as Page
  expect(page.url).toBe('x')
  expect(toMarkdown(page)).toBe('# Title\n\nText.\n\nAdded.')
})

test('the parser builds the tree that browsers build, without positions', () => {
  const tree = unified().use(rehypeParse5).parse('<table><b>x<tr><td class="a b">y') as Root
  expect(JSON.parse(JSON.stringify(tree))).toEqual({
    type: 'root',
    children: [
      element('html', {}, [
        element('head', {}, []),
        element('body', {}, [
          element('b', {}, [{ type: 'text', value: 'x' }]),
          element('table', {}, [
            element('tbody', {}, [
              element('tr', {}, [
                element('td', { className: ['a', 'b'] }, [{ type: 'text', value: 'y' }]),
              ]),
            ]),
          ]),
        ]),
      ]),
    ],
  })
})

function element(tagName: string, properties: object, children: unknown[]) {
  return { type: 'element', tagName, properties, children }
}
