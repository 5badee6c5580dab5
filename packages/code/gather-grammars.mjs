// Copies the grammars that the languages name, and their licences, out of the packages that have
// them into grammars/: what is published has no need of 400 MB of parsers in C. The headings of the
// licences are read where the bill of materials of a server is made.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each package, with the grammars that are taken from it. */
const packages = {
  'tree-sitter-javascript': ['javascript'],
  'tree-sitter-typescript': ['typescript', 'tsx'],
  'tree-sitter-python': ['python'],
  'tree-sitter-go': ['go'],
  'tree-sitter-rust': ['rust'],
  'tree-sitter-java': ['java'],
  'tree-sitter-c': ['c'],
  'tree-sitter-cpp': ['cpp'],
  'tree-sitter-c-sharp': ['c_sharp'],
  'tree-sitter-ruby': ['ruby'],
  'tree-sitter-php': ['php'],
  '@tree-sitter-grammars/tree-sitter-kotlin': ['kotlin'],
  'tree-sitter-scala': ['scala'],
  'tree-sitter-bash': ['bash'],
  '@tree-sitter-grammars/tree-sitter-lua': ['lua'],
  '@cursorless/tree-sitter-wasms': ['swift'],
  '@repomix/tree-sitter-wasms': ['dart'],
}

const here = dirname(fileURLToPath(import.meta.url))
const { resolve } = createRequire(import.meta.url)
const target = join(here, 'grammars')

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const licences = []
for (const [name, grammars] of Object.entries(packages)) {
  const manifest = resolve(`${name}/package.json`)
  const folder = dirname(manifest)
  const { version, license, author } = JSON.parse(readFileSync(manifest, 'utf8'))
  for (const grammar of grammars) {
    const compiled = ['', 'out'].map((at) => join(folder, at, `tree-sitter-${grammar}.wasm`))
    copyFileSync(compiled.find(existsSync), join(target, `${grammar}.wasm`))
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `Copyright ${author.name ?? author}; the package has no text of its licence.`
  licences.push(`## ${name} - ${version} (${license})\n\n${grammars.join(', ')}\n\n${text}\n`)
}
// Packages that compile the grammars of others have only their own licence.
const others = join(here, 'grammar-licences')
for (const file of readdirSync(others).sort())
  licences.push(readFileSync(join(others, file), 'utf8'))
writeFileSync(join(target, 'NOTICES.txt'), licences.join(`\n${'-'.repeat(72)}\n\n`))
