// What others than Pith say of a repository: file → { defs: { name, kind, line, end, scope, bases },
// calls: [name, line] }. The TypeScript compiler, Python's ast, and Universal Ctags, whose ends of
// PHP, Kotlin, Rust and C# are found here by counting braces, and whose calls are the names before
// parentheses. When the answers were first written, those of Go were by go/parser, the callers in C
// and C++ by libclang, and in TypeScript by the language service: they were the same.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const run = (command, args, options) =>
  execFileSync(command, args, { maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'], ...options })
    .toString()
    .split('\n')
    .filter(Boolean)
export const sources = /\.(?:tsx?|[cm]?js|py|go|c|h|cc|cpp|rs|kt|java|cs|php|rb)$/

/** Calls and subclasses in tests are neither asked for nor wrong. */
export const isTest = (file) => /(?:^|[/._-]|(?=T))[Tt]ests?(?:[/._-]|$)|\bspec\b/.test(file)

/** Paths of the source files of a folder, as rg lists them. */
const filesOf = (root) =>
  run('rg', ['--files', '--sort', 'path'], { cwd: root }).filter((file) => sources.test(file))

export function factsOf(root) {
  const files = filesOf(root)
  const isScript = (file) => /\.(?:tsx?|[cm]?js)$/.test(file)
  const python = files.filter((file) => file.endsWith('.py'))
  const facts = new Map([
    ...files.filter(isScript).map((file) => [file, typescriptFacts(root, file)]),
    ...run('python3', [here('facts.py'), root, ...python])
      .map((line) => JSON.parse(line))
      .map((row) => [row.file, row]),
  ])
  const others = files.filter((file) => !facts.has(file))
  for (const [file, defs] of tagsOf(root, others))
    facts.set(file, { defs, calls: textCalls(root, file, defs) })
  return facts
}

const kinds = {
  class: /^(?:class|struct|interface|type|object|trait|module|implementation)$/,
  function: /^(?:function|method|singletonMethod|func|member|constructor)$/,
}

function tagsOf(root, files) {
  const args = ['--output-format=json', '--fields=+neKSi', '-f', '-', '-L', '-']
  const definitions = new Map(files.map((file) => [file, []]))
  if (files.length === 0) return definitions
  const flags = ['--langmap=C++:+.h', '--kinds-C=dfegmpstuv', '--kinds-C++=dfegmpstuvc']
  const flat = new Map(
    files.map((file) => [file, flatten(readFileSync(join(root, file), 'utf8'), file)]),
  )
  for (const tag of run('ctags', [...flags, ...args], { cwd: root, input: files.join('\n') }).map(
    (line) => JSON.parse(line),
  )) {
    const isMember = tag.kind === 'member' && /\.(?:c|h|cc|cpp|go)$/.test(tag.path)
    const kind = isMember
      ? 'value'
      : (Object.keys(kinds).find((one) => kinds[one].test(tag.kind)) ?? 'value')
    const end = tag.end ?? (kind === 'value' ? tag.line : endByBraces(flat.get(tag.path), tag.line))
    const bases = (tag.inherits ?? '').split(',').map((base) =>
      base
        .replace(/<.*/, '')
        .split(/::|[.\\]/)
        .at(-1)
        .trim(),
    )
    const isName =
      tag.name !== '<lambda>' &&
      tag.kind !== 'implementation' &&
      tag.kind !== 'alias' &&
      tag.kind !== 'namespace'
    if (isName)
      definitions
        .get(tag.path)
        .push({ name: tag.name, kind, line: tag.line, end, scope: tag.scope ?? '', bases })
  }
  for (const [file, defs] of definitions)
    for (const [at, line] of flat.get(file).entries()) {
      const [, base, name] = /^\s*impl(?:<[^>]*>)? ([\w:]+)(?:<.*>)? for (\w+)/.exec(line) ?? []
      if (name && file.endsWith('.rs'))
        defs.push({
          name,
          kind: 'impl',
          line: at + 1,
          end: at + 1,
          scope: '',
          bases: [base.split('::').at(-1)],
        })
    }
  return definitions
}

/** The lines without comments and strings. */
function flatten(text, file) {
  const blank = (match) => match.replace(/[^\n]/g, ' ')
  if (file.endsWith('.rb')) return text.replace(/^\s*#.*/gm, blank).split('\n')
  const quote = file.endsWith('.php') ? /'(?:\\.|[^'\\])*'/ : /'(?:\\[^'\n]*|[^'\\\n])'|'\\''/
  const others = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\[\s\S]|[^"\\\n])*"/
  return text.replace(RegExp(`${others.source}|${quote.source}`, 'g'), blank).split('\n')
}

function endByBraces(lines, first) {
  let depth = 0
  let isOpen = false
  for (let at = first - 1; at < lines.length; at++)
    for (const sign of lines[at]) {
      if (/[{([]/.test(sign)) depth++
      if (/[})\]]/.test(sign)) depth--
      if (sign === '{' && depth === 1) isOpen = true
      if ((isOpen && depth === 0) || (sign === ';' && depth === 0)) return at + 1
    }
  return first
}

/** Every name before a parenthesis that is not the begin of a definition; of Ruby every name. */
function textCalls(root, file, defs) {
  const isRuby = file.endsWith('.rb')
  const starts = new Set(defs.map(({ name, line }) => `${name}:${line}`))
  return flatten(readFileSync(join(root, file), 'utf8'), file).flatMap((line, at) =>
    [...line.matchAll(isRuby ? /(?<![:@])\b\w+[!?]?/g : /\b\w+(?=\s*(?:<[\w, ]*>)?\s*\()/g)]
      .map(([name]) => [name, at + 1])
      .filter(([name, number]) => !starts.has(`${name}:${number}`)),
  )
}

/** Without casts and parentheses around it. */
const bare = (node) =>
  node && (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
    ? bare(node.expression)
    : node

function typescriptFacts(root, file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const lineOf = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1
  const defs = []
  const calls = []
  const visit = (node, scope) => {
    const isAssigned = ts.isBinaryExpression(node) && ts.isFunctionLike(node.right)
    const value = isAssigned ? node.right : bare(node.initializer)
    const name = isAssigned ? node.left.name : node.name
    const owner = isAssigned ? `${scope}.${node.left.expression?.getText()}` : scope
    const isFunction = ts.isFunctionLike(node) || (value && ts.isFunctionLike(value))
    const isDef =
      isAssigned || (ts.isDeclaration(node) && !ts.isParameter(node) && !ts.isImportSpecifier(node))
    if (name?.text && isDef && (!isFunction || node.body || value)) {
      const kind =
        ts.isClassLike(node) || ts.isInterfaceDeclaration(node)
          ? 'class'
          : isFunction
            ? 'function'
            : 'value'
      const bases = (node.heritageClauses ?? []).flatMap(({ types }) =>
        types.map(({ expression }) => expression.getText()),
      )
      defs.push({
        name: name.text,
        kind,
        line: lineOf(name.getStart()),
        end: lineOf(node.getEnd()),
        scope: owner,
        bases,
      })
    }
    const [callee] = ts.isCallExpression(node) ? [node.expression.name ?? node.expression] : []
    if (callee?.text) calls.push([callee.text, lineOf(callee.getStart())])
    ts.forEachChild(node, (child) =>
      visit(child, name?.text && isDef ? `${scope}.${name.text}` : scope),
    )
  }
  visit(source, '')
  return { defs, calls }
}
