// Write the metadata of a release next to its bundles: entries for the MCP Registry with the URL and
// hash of each bundle, and the release notes.
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

/** Change texts, each with its packages. */
const changes = new Map()
for (const room of ['apps', 'packages'])
  for (const name of readdirSync(room).filter((each) => existsSync(`${room}/${each}/CHANGELOG.md`)))
    for (const text of newest(`${room}/${name}/CHANGELOG.md`))
      changes.set(text, [...(changes.get(text) ?? []), name])
const notes = [...changes].map(([text, names]) => `## ${names.join(', ')}\n\n${text}`)
writeFileSync(join(folder, 'notes.md'), `${notes.join('\n\n')}\n`)

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Changes of the newest version of a package, without lines that only list sibling packages. */
function newest(path) {
  const [, section = ''] = readFileSync(path, 'utf8').split(/^## .*\n/m)
  return section
    .split(/^- /m)
    .slice(1)
    .map((item) =>
      item
        .replace(/^### .*$/gm, '')
        .replace(/^[\da-f]{7,40}: /, '')
        .replace(/^ {2}/gm, '')
        .trim(),
    )
    .filter((text) => !text.startsWith('Updated dependencies') && !text.startsWith('@pith-mcp/'))
}
