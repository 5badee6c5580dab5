// Pack the servers as .mcpb bundles, each from its npm archive.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packExtension } from '@anthropic-ai/mcpb'

const out = resolve(process.argv[2] ?? 'artifacts')
mkdirSync(out, { recursive: true })
for (const app of readdirSync('apps')) await packBundle(app)

async function packBundle(app) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-mcpb-'))
  try {
    run('pnpm', ['pack', '--pack-destination', folder], `apps/${app}`)
    const [archive] = readdirSync(folder)
    run('tar', ['-xzf', archive], folder)
    const extensionPath = join(folder, 'package')
    const manifest = describeBundle(
      read(join(extensionPath, 'package.json')),
      read(`apps/${app}/manifest.json`),
    )
    writeFileSync(join(extensionPath, 'manifest.json'), JSON.stringify(manifest, undefined, 2))
    cpSync('scripts/icon.png', join(extensionPath, 'icon.png'))
    const outputPath = join(out, `${app}.mcpb`)
    if (!(await packExtension({ extensionPath, outputPath, silent: true })))
      throw new Error(
        `${app}: its bundle cannot be packed; apps/${app}/manifest.json may be invalid.`,
      )
    console.log(outputPath)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The newest stable version of the manifest format. */
function describeBundle(own, { args, env, display_name, ...rest }) {
  const [entry_point] = Object.values(own.bin).map((path) => path.replace('./', ''))
  const repository = own.repository.url.replace(/^git\+/, '')
  return {
    manifest_version: '0.3',
    name: own.name.slice(own.name.indexOf('/') + 1),
    display_name,
    version: own.version,
    description: own.description,
    author: { name: 'Pith', url: repository.replace(/\.git$/, '') },
    repository: { type: 'git', url: repository },
    homepage: own.homepage,
    support: own.bugs,
    license: own.license,
    icon: 'icon.png',
    keywords: own.keywords,
    server: {
      type: 'node',
      entry_point,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry_point}`, ...args],
        ...(env && { env }),
      },
    },
    ...rest,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: own.engines.node },
    },
  }
}

function run(command, args, cwd) {
  const shell = process.platform === 'win32'
  execFileSync(command, args, { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] })
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
