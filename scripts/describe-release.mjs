// Write what a release says of itself, beside its bundles: entries for the MCP Registry with the
// address and hash of each bundle, and the notes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? 'artifacts')

for (const app of readdirSync('apps')) {
  const server = JSON.parse(readFileSync(`apps/${app}/server.json`, 'utf8'))
  const { version, repository } = server
  const bundle = {
    registryType: 'mcpb',
    identifier: `${repository.url}/releases/download/v${version}/${app}.mcpb`,
    version,
    fileSha256: sha256(join(folder, `${app}.mcpb`)),
    transport: { type: 'stdio' },
  }
  const entry = { ...server, packages: [...server.packages, bundle] }
  mkdirSync(join(folder, 'registry', app), { recursive: true })
  const path = join(folder, 'registry', app, 'server.json')
  writeFileSync(path, `${JSON.stringify(entry, undefined, 2)}\n`)
}

const changelogs = ['apps', 'packages']
  .flatMap((room) => readdirSync(room).map((name) => `${room}/${name}/CHANGELOG.md`))
  .filter((path) => existsSync(path))
  .map(newest)
writeFileSync(join(folder, 'notes.md'), `${changelogs.filter(Boolean).join('\n\n')}\n`)

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** What the newest version of a package changed, without lines that only name its siblings. */
function newest(path) {
  const [title, , ...lines] = readFileSync(path, 'utf8')
    .split(/^(?=## )/m)
    .slice(0, 2)
    .join('')
    .split('\n')
  const text = lines
    .filter((line) => !/^## /.test(line))
    .filter((line) => !/^(- Updated dependencies.*| {2}- @pith-mcp\/\S+)$/.test(line))
    .join('\n')
    .replace(/^### .*\n+(?=### |$(?![\s\S]))/gm, '')
    .trim()
  return text && `${title.replace('# ', '## ')}\n\n${text}`
}
