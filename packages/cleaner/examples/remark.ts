import { rehypeMainRegion, rehypeParse5, rehypeStripNoise } from '@pith-mcp/cleaner'
import { remarkPreset } from '@pith-mcp/cleaner/remark'
import { unified } from 'unified'

const file = unified()
  .use(rehypeParse5)
  .use(rehypeMainRegion)
  .use(rehypeStripNoise)
  .use(remarkPreset({ links: 'keep' }))
  .processSync('<main><h1>Install</h1><p>See <a href="api.html">the API</a>.</p></main>')

console.log(String(file))
// # Install
//
// See [the API](api.html).
