import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'

const page = cleanHtml(`<nav><a href="/">Home</a></nav>
  <main><h1 id="install">Install<a class="headerlink" href="#install">¶</a></h1>
  <p>Needs <code>node</code> 20.</p><pre>npm install ferry</pre></main>`)

console.log(toMarkdown(page, { code: 'stand-in' }))
// '# Install\n\nNeeds `node` 20.\n\n[code, 1 line]\n'
