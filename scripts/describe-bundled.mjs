import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The packages that modules are from: their licences as a text, and a list of them in the form of
 * CycloneDX 1.6. Throws if a package has no licence.
 */
export function describeBundled(modules) {
  const folders = new Set(modules.map(packageFolder).filter(Boolean))
  const packages = [...folders]
    .map(describePackage)
    .filter(({ name }) => !name.startsWith('@pith-mcp/'))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ id }, index, all) => id !== all[index - 1]?.id)
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    licences: packages.map(licenceText).join(`\n${'-'.repeat(72)}\n\n`),
    sbom: bom(own, packages),
  }
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
  const text = file && readFileSync(join(folder, file), 'utf8').trim()
  if (!text && !license) throw new Error(`${name} is bundled and has no licence.`)
  return { id: `${name}@${version}`, name, version, license, text }
}

const licenceText = ({ id, license, text }) =>
  `${id} (${license ?? 'see below'})\n\n${text ?? `Licence: ${license}`}\n`

function bom(own, packages) {
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
    version: 1,
    metadata: { component: component('application', own) },
    components: packages.map((each) => component('library', each)),
    dependencies: [
      {
        ref: purl(own.name, own.version),
        dependsOn: packages.map(({ name, version }) => purl(name, version)),
      },
    ],
  }
}

const isExpression = (license) => / (?:AND|OR|WITH) /.test(license)
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`
const group = (name) =>
  name.startsWith('@')
    ? { group: name.slice(0, name.indexOf('/')), name: name.slice(name.indexOf('/') + 1) }
    : { name }
