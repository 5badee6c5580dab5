import { pithClean, pithRemark } from '@pith-mcp/cleaner/remark'
import rehypeParse from 'rehype-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

const file = await unified()
  .use(rehypeParse)
  .use(pithClean)
  .use(pithRemark, { links: 'keep' })
  .use(remarkStringify)
  .process(`<nav><a href="/">Home</a></nav>
    <main><h1 id="install">Install</h1><p>See <a href="api.html">the API</a>.</p></main>`)

console.log(String(file))
// # Install
//
// See [the API](api.html).
