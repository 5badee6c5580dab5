import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder with one page of documentation. */
export function manualFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pith-built-'))
  writeFileSync(
    join(folder, 'guide.html'),
    `<nav><a href="x.html">Elsewhere</a></nav>
     <main><h1>Guide<a class="headerlink" href="#guide">¶</a></h1><p>Intro.</p>
     <h2 id="install">Install</h2><p>Run the installer.</p><pre>npm i</pre></main>`,
  )
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

export const main = fileURLToPath(new URL('../../apps/docs-mcp/dist/main.js', import.meta.url))
