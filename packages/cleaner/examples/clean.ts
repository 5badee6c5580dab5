import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'

const page = cleanHtml(`
  <nav><a href="/">Home</a></nav>
  <main>
    <h1 id="install">Install<a class="headerlink" href="#install">¶</a></h1>
    <p>Needs <code>node</code> 20.</p>
    <div class="highlight-sh"><pre>npm install ferry</pre></div>
  </main>
`)

console.log(toMarkdown(page, { code: 'stand-in' }))
// # Install
//
// Needs `node` 20.
//
// [code sh, 1 line]
