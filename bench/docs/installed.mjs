// What docs-mcp has of the packages that projects have installed, and what the first answer costs.
//   node installed.mjs [FOLDER …] [--names 200] [--each]
// Without a folder: this repository. Of the direct dependencies that are installed:
// - read: a README above 2 kB, docs or declarations of the version installed;
// - API: of those whose manifest or @types declare types, the share with sections of exported names;
// - wrong: another version than that of the manifest which Node resolves, or a version answered that
//   nobody installed;
// - names: of so many functions that packages export when they are imported, which runs them, the share
//   whose first reply has the name with its parameters.
// Then a project of 1,000 packages, made up: processor time of the first answer, with all threads.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createRandom, shuffle } from './random.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { names: { type: 'string', default: '0' }, each: { type: 'boolean', default: false } },
})
const repository = resolve(import.meta.dirname, '../..')
const program = join(repository, 'apps/docs-mcp/dist/main.js')
const minReadme = 2_000

/** The answer of a command, and its processor time in seconds. */
function run(folder, ...words) {
  const scratch = mkdtempSync(join(tmpdir(), 'installed-'))
  const [meter, figure] = ['meter.cjs', 'seconds'].map((name) => join(scratch, name))
  writeFileSync(
    meter,
    `process.on('exit', () => {
      const { user, system } = process.cpuUsage()
      require('node:fs').writeFileSync(${JSON.stringify(figure)}, String((user + system) / 1e6))
    })`,
  )
  const env = { ...process.env, CLAUDE_PROJECT_DIR: '' }
  const options = { cwd: folder, encoding: 'utf8', env, maxBuffer: 2 ** 28 }
  const args = [
    '--require',
    meter,
    program,
    ...words,
    ...(words[0] === '--version' ? [] : ['--no-cache']),
  ]
  const text = execFileSync(process.execPath, args, options)
  const seconds = Number(readFileSync(figure, 'utf8'))
  rmSync(scratch, { recursive: true })
  return { text, seconds }
}

async function measure(folder) {
  const { text, seconds } = run(folder, 'libraries', '--json')
  const all = JSON.parse(text)
  const libraries = all.filter(({ isInstalled, group }) => isInstalled && group !== 'workspace')
  const isRead = ({ readmeBytes, docsPages, types }) =>
    readmeBytes > minReadme || docsPages > 0 || types !== undefined
  const call = await connect(folder)
  const tally = { typed: 0, api: 0, wrong: 0, checked: 0 }
  const typedNames = []
  for (const library of libraries) {
    const { name, version, ecosystem } = library
    const manifest = ecosystem === 'npm' ? manifestOf(folder, name, version) : undefined
    tally.checked++
    if (ecosystem === 'npm' && manifest === undefined) {
      tally.wrong++
      note(`${name} ${version}: Node resolves another version`)
    }
    const absent = await call('get_doc_toc', { url: `${name}@999.9` })
    if (!/is not installed/.test(absent)) tally.wrong++
    const isTyped =
      ecosystem === 'Python' || declaresTypes(manifest) || library.types?.startsWith('@types/')
    if (!isTyped) continue
    tally.typed++
    const toc = await call('get_doc_toc', { url: `${name}@${version}/API` })
    const isCurrent = toc.includes(`${name} ${version}`)
    const [, sections = '0'] = /· ([\d,]+) sections/.exec(toc) ?? []
    if (isCurrent && Number(sections.replaceAll(',', '')) > 1) {
      tally.api++
      if (manifest !== undefined) typedNames.push({ ...library, member: manifest.member })
    } else note(`${name} ${version}: ${toc.split('\n')[0].slice(0, 200)}`)
  }
  const read = libraries.filter(isRead)
  for (const { name, version } of libraries.filter((one) => !isRead(one)))
    note(`${name} ${version}: nothing`)
  console.log(
    `${folder}: ${libraries.length} direct packages installed, ${all.length - libraries.length} others`,
  )
  console.log(`  read ${share(read.length, libraries.length)}`)
  console.log(`  API ${share(tally.api, tally.typed)} of those with types`)
  console.log(`  wrong versions ${tally.wrong} of ${tally.checked}`)
  console.log(`  libraries: ${seconds.toFixed(2)} s of processor time`)
  if (Number(values.names) > 0) await measureNames(typedNames, call)
  await call.close()
}

async function measureNames(libraries, call) {
  const random = createRandom(1)
  const names = libraries.flatMap(({ name, version, member }) =>
    shuffle(functionsOf(name, member), random)
      .slice(0, 10)
      .map((key) => ({ name, version, key })),
  )
  const drawn = shuffle(names, random).slice(0, Number(values.names))
  let right = 0
  for (const { name, version, key } of drawn) {
    const reply = await call('get_doc_section', { url: `${name}@${version}`, section: key })
    const text = reply.split('\n').slice(1).join('\n')
    const isRight = new RegExp(
      `\\b${key.replaceAll('$', '\\$')}\\b[^\\n]*[(<:=]|class ${key}\\b`,
    ).test(text)
    if (isRight) right++
    else note(`${name} ${key}: ${reply.slice(0, 200)}`)
  }
  console.log(`  names ${share(right, drawn.length)}`)
}

/** What a package exports when it is imported in a process of its own, in the folder that has it. */
function functionsOf(name, member) {
  const keys =
    'Object.keys(all).filter((key) => typeof all[key] === "function" && /^[a-z]\\w+$/i.test(key))'
  const script = `const all = await import(${JSON.stringify(name)}); process.stdout.write('\\n=' + JSON.stringify(${keys})); process.exit()`
  const args = ['--input-type=module', '-e', script]
  try {
    const options = {
      cwd: dirname(member),
      encoding: 'utf8',
      timeout: 20_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }
    const [, list = '[]'] = /\n=(\[.*\])$/.exec(execFileSync(process.execPath, args, options)) ?? []
    return JSON.parse(list).filter((key) => key !== 'default')
  } catch {
    return []
  }
}

/** The manifest that Node resolves from the project or a package of its workspace. */
function manifestOf(folder, name, version) {
  const members = execFileSync(
    'find',
    [folder, '-name', 'package.json', '-not', '-path', '*/node_modules/*', '-maxdepth', '4'],
    { encoding: 'utf8' },
  )
  for (const member of members.trim().split('\n'))
    for (const place of createRequire(member).resolve.paths(`${name}/package.json`) ?? []) {
      const file = join(place, name, 'package.json')
      if (!existsSync(file)) continue
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      if ((manifest.version ?? '') === version) return { ...manifest, member }
      break
    }
  return undefined
}

const declaresTypes = (manifest) =>
  manifest !== undefined &&
  (manifest.types ??
    manifest.typings ??
    (/"types"/.test(JSON.stringify(manifest.exports ?? '')) || undefined)) !== undefined

async function measureLarge() {
  const folder = mkdtempSync(join(tmpdir(), 'installed-large-'))
  const dependencies = {}
  const packages = {}
  for (let at = 0; at < 1_000; at++) {
    const name = `package-${at}`
    const place = join(folder, 'node_modules', name)
    mkdirSync(place, { recursive: true })
    const manifest = { name, version: `1.${at}.0`, types: 'index.d.ts' }
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
    const text = `# ${name}\n\n${`## Part\n\nTurns crank ${at} of the machine. `.repeat(60)}`
    writeFileSync(join(place, 'README.md'), text)
    const lines = Array.from(
      { length: 20 },
      (_, one) => `/** Turns ${one}. */\nexport declare function turn${one}(by: number): void;`,
    )
    writeFileSync(join(place, 'index.d.ts'), lines.join('\n'))
    if (at < 100) dependencies[name] = '^1.0.0'
    packages[`node_modules/${name}`] = { version: manifest.version }
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const base = run(folder, '--version').seconds
  const seconds = (...words) => `${(run(folder, ...words).seconds).toFixed(2)} s`
  console.log(
    `1,000 packages, 100 of them direct; processor time of a first answer (start alone ${base.toFixed(2)} s)`,
  )
  console.log(`  libraries ${seconds('libraries')}`)
  console.log(`  section of a direct package ${seconds('section', 'package-5', 'turn7')}`)
  console.log(`  search of a direct package ${seconds('search', 'package-5', 'turn crank')}`)
  console.log(`  section of a transitive package ${seconds('section', 'package-500', 'turn7')}`)
  const call = await connect(folder)
  const started = performance.now()
  const reply = await call('search_docs', { query: 'crank 55' })
  console.log(
    `  search of all direct packages ${((performance.now() - started) / 1_000).toFixed(2)} s of time: ${reply.split('\n').at(-2)}`,
  )
  await call.close()
  rmSync(folder, { recursive: true })
}

async function connect(folder) {
  const client = new Client({ name: 'bench', version: '0' })
  const env = { ...process.env, CLAUDE_PROJECT_DIR: folder }
  const args = [program, '--no-cache']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }),
  )
  const call = async (name, args) =>
    (await client.callTool({ name, arguments: args })).content.map(({ text }) => text).join('\n')
  call.close = () => client.close()
  return call
}

const share = (part, all) => `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`

function note(line) {
  if (values.each) console.log(`    ${line}`)
}

for (const folder of positionals.length > 0 ? positionals : [repository])
  await measure(resolve(folder))
await measureLarge()
