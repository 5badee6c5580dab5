// The types that implement interfaces of Go, beside those of go/types, in Go's own library:
//   node implementers.mjs [--misses]
// Needs Go 1.18 or later. Interfaces of type parameters do not count, nor interfaces that embed them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCode } from '../../packages/code/dist/index.js'

const { values } = parseArgs({ options: { misses: { type: 'boolean' } } })
const packages =
  'io,net/http,go/ast,go/types,image,encoding,database,hash,crypto/tls,text,html,log,mime,compress,archive,container,context,expvar'

const folder = mkdtempSync(join(tmpdir(), 'implementers-'))
const source = join(folder, 'source')
const program = fileURLToPath(new URL('go-facts.go', import.meta.url))
const facts = JSON.parse(
  execFileSync('go', ['run', program, source, packages], {
    env: { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  }).toString(),
)
const code = await createCode({ roots: [source], cacheFolder: join(folder, 'index') })
await code.index()
const sums = { right: 0, extra: 0, lost: 0 }
for (const [name, types] of Object.entries(facts)) {
  const dot = name.lastIndexOf('.')
  const [path, interfaceName] = [name.slice(0, dot), name.slice(dot + 1)]
  const { hits } = await code.findFunctions(interfaceName)
  const hit = hits.find(
    (found) =>
      found.kind === 'interface' && dirname(found.file) === path && found.path === interfaceName,
  )
  if (!hit) continue
  const { implementers } = await code.references(hit.id, { kind: 'implementations' })
  const found = new Set(
    (implementers?.types ?? []).map(({ file, symbol }) => `${dirname(file)}.${symbol}`),
  )
  const lost = (types ?? []).filter((type) => !found.has(type))
  const extra = [...found].filter((type) => !types?.includes(type))
  sums.right += found.size - extra.length
  sums.extra += extra.length
  sums.lost += lost.length
  if (values.misses && lost.length + extra.length > 0)
    console.log(`${name}: lost ${lost.slice(0, 4)}; extra ${extra.slice(0, 4)}`)
}
const { right, extra, lost } = sums
const figures = [
  right / (right + extra),
  right / (right + lost),
  right / (right + (extra + lost) / 2),
]
const [p, r, f1] = figures.map((figure) => figure.toFixed(3))
console.log(
  `${Object.keys(facts).length} interfaces, ${right + lost} types: P ${p} R ${r} F1 ${f1}`,
)
await code.close()
rmSync(folder, { recursive: true })
