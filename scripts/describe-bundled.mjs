import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { licenceTextOf } from './licence-texts.mjs'

/**
 * The packages that modules are from: their licences as a text, and a list of them in the form of
 * CycloneDX 1.6. Throws if a package has no licence.
 *
 * @param notices Notices of other bundled packages, as Vite writes them; they are listed as well.
 */
export function describeBundled(modules, notices = '') {
  const folders = new Set(modules.map(packageFolder).filter(Boolean))
  const all = [...folders]
    .map(describePackage)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ id }, index, sorted) => id !== sorted[index - 1]?.id)
  const [ours, packages] = [all.filter(isOurs), all.filter((each) => !isOurs(each))]
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    licences: packages.map(licenceText).join(`\n${'-'.repeat(72)}\n\n`),
    sbom: bom(own, ours, packages, readNotices(notices, packages)),
  }
}

/** Packages that the notices name and that are not known yet. */
function readNotices(notices, known) {
  const ids = new Set(known.map(({ id }) => id))
  return [...notices.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)]
    .map(([, name, version, license]) => ({ id: `${name}@${version}`, name, version, license }))
    .filter(({ id }) => !ids.has(id))
    .map((each) => ({ ...each, needs: [] }))
}

function packageFolder(module) {
  const path = module.replace(/^\0/, '').replace(/\?.*$/, '')
  if (!path.startsWith('/') && !/^[A-Z]:/i.test(path)) return undefined
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    // Some packages have files of that name in folders, which only tell the kind of modules.
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name) return folder
  }
}

function describePackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license = manifest.licenses?.[0]?.type } = manifest
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-].*)?$/i.test(entry))
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : licenceTextOf({ license, author: manifest.author })
  if (!text && !isOurs(manifest))
    throw new Error(`${name} is bundled and has no text of a licence.`)
  const { dependencies, optionalDependencies, devDependencies } = manifest
  const { peerDependencies, peerDependenciesMeta } = manifest
  // Our own packages bundle their `devDependencies`.
  const kinds = [
    dependencies,
    optionalDependencies,
    peerDependencies,
    peerDependenciesMeta,
    isOurs(manifest) && devDependencies,
  ]
  const needs = kinds
    .flatMap((each) => Object.keys(each || {}))
    .map((each) => installedFolder(each, folder))
    .filter(Boolean)
  return { id: `${name}@${version}`, name, version, license, text, folder, needs }
}

/** Resolves a package from another one, with Node's algorithm. */
function installedFolder(name, from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(path)) return realpathSync(path)
  }
}

const isOurs = ({ name }) => name.startsWith('@pith-mcp/')

const licenceText = ({ id, license, text }) => `${id} (${license ?? 'see below'})\n\n${text}\n`

function bom(own, ours, packages, noticed) {
  const all = [...packages, ...noticed]
  const needed = (some) => {
    const folders = new Set(some.flatMap(({ needs }) => needs))
    return packages
      .filter(({ folder }) => folders.has(folder))
      .map(({ name, version }) => purl(name, version))
  }
  const component = (type, { name, version, license }) => ({
    type,
    'bom-ref': purl(name, version),
    ...group(name),
    version,
    ...(license && {
      licenses: [isExpression(license) ? { expression: license } : { license: { id: license } }],
    }),
    purl: purl(name, version),
  })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // Deterministic: the same contents have the same serial number.
    serialNumber: uuidOf(JSON.stringify([own.version, all.map(({ id }) => id)])),
    version: 1,
    metadata: {
      tools: {
        components: [{ type: 'application', name: 'describe-bundled', group: '@pith-mcp' }],
      },
      component: component('application', own),
    },
    components: all.map((each) => component('library', each)),
    dependencies: [
      {
        ref: purl(own.name, own.version),
        dependsOn: [...needed(ours), ...noticed.map(({ name, version }) => purl(name, version))],
      },
      ...all.map((each) => ({
        ref: purl(each.name, each.version),
        dependsOn: needed([each]),
      })),
    ],
  }
}

function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const isExpression = (license) => / (?:AND|OR|WITH) /.test(license)
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`
const group = (name) =>
  name.startsWith('@')
    ? { group: name.slice(0, name.indexOf('/')), name: name.slice(name.indexOf('/') + 1) }
    : { name }
