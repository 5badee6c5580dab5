// Write the bills of materials of a release next to its archives: for each server that of its bundle,
// for the libraries that of an npm installation.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const artifacts = resolve(process.argv[2] ?? 'artifacts')
const timestamp = run('git', ['log', '-1', '--format=%cI']).trim()

for (const app of readdirSync('apps')) write(app, read(`apps/${app}/dist/sbom.cdx.json`))
write('libraries', librariesBom())
write('engines', enginesBom())

function librariesBom() {
  const manifests = readdirSync('packages')
    .map((name) => read(`packages/${name}/package.json`))
    .filter(({ private: isPrivate }) => !isPrivate)
  const [{ version, license }] = manifests
  const archives = manifests.map(({ name, version }) =>
    join(artifacts, 'npm', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
  )
  const cwd = mkdtempSync(join(tmpdir(), 'pith-libraries-'))
  try {
    const own = { name: '@pith-mcp/libraries', version, license, private: true }
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(own))
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...archives], cwd)
    const output = run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'], cwd)
    const bom = JSON.parse(output)
    for (const component of [bom.metadata.component, ...bom.components]) tidy(component)
    return bom
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** What images have next to a server, as the lockfile has it. */
function enginesBom() {
  const all = ['--prod', '--json', '--depth', 'Infinity']
  const [engines] = JSON.parse(run('pnpm', ['--filter', '@pith-mcp/engines', 'list', ...all]))
  const components = new Map()
  const add = ([name, { version, dependencies = {} }]) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    if (components.has(purl)) return
    components.set(purl, { type: 'library', 'bom-ref': purl, name, version, purl })
    Object.entries(dependencies).forEach(add)
  }
  Object.entries(engines.dependencies).forEach(add)
  const component = { type: 'application', name: engines.name, version: engines.version }
  const about = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component } }
  return { ...about, components: [...components.values()] }
}

/** Remove local paths of our archives; the packages are published under their names. */
function tidy(component) {
  component.externalReferences = component.externalReferences?.filter(
    ({ url }) => !url.startsWith('file:'),
  )
  component.properties = component.properties?.filter(({ name }) => !name.endsWith(':path'))
}

function write(name, bom) {
  const dated = { ...bom, metadata: { timestamp, ...bom.metadata } }
  writeFileSync(join(artifacts, `${name}.cdx.json`), `${JSON.stringify(dated, undefined, 1)}\n`)
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function run(command, args, cwd) {
  const shell = process.platform === 'win32'
  return execFileSync(command, args, { cwd, shell, encoding: 'utf8', maxBuffer: 1 << 28 })
}
