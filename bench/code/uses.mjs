// How well the uses of a name are found: the lines that TypeScript's language service and jedi
// name as uses, without definitions and imports:
//   node uses.mjs --repos DIR [--count 100] [--misses] [name …]
// DIR has a checkout a name. Names by import: functions, classes, types and values at the top that
// are exported, outside tests. Methods: those of classes, which are found by name. Of both every
// n-th, --count a repository. A package of the repository is resolved to its `src`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { createCode } from '../../packages/code/dist/index.js'

/** What was in view when the rules were written, and what was not. */
const repositories = {
  typescript: { hono: 'seen', trpc: 'seen', vitest: 'unseen', got: 'unseen', nitro: 'unseen' },
  python: {
    click: 'seen',
    httpx: 'seen',
    aiohttp: 'unseen',
    fastapi: 'unseen',
    pydantic: 'unseen',
    black: 'unseen',
    starlette: 'unseen',
  },
}
const kinds = { top: 'by import', member: 'methods by name' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repos: { type: 'string' },
    count: { type: 'string', default: '100' },
    misses: { type: 'boolean' },
  },
})
const count = Number(values.count)
const isTest = (file) => /(?:^|[/._-])(?:tests?|spec|bench|docs?|examples?)(?:[/._-]|$)/i.test(file)
const everyNth = (some) => some.filter((_, at) => at % Math.ceil(some.length / count) === 0)
const filesOf = (root, ending) => {
  const files = execFileSync('git', ['-C', root, 'ls-files']).toString().split('\n')
  return files.filter((file) => ending.test(file) && existsSync(join(root, file)))
}
const references = { typescript: typescriptUses, python: pythonUses }

function pythonUses(root) {
  const files = filesOf(root, /\.py$/).filter((file) => !isTest(file))
  const script = fileURLToPath(new URL('uses-facts.py', import.meta.url))
  return execFileSync('python3', [script, root, values.count, ...files], { maxBuffer: 2 ** 28 })
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function typescriptUses(root) {
  const files = filesOf(root, /(?<!\.d)\.[cm]?[jt]sx?$/)
  const service = ts.createLanguageService(
    hostOf(
      root,
      files.map((file) => join(root, file)),
    ),
  )
  const symbols = { top: [], member: [] }
  for (const file of files.filter((one) => !isTest(one)))
    for (const statement of service.getProgram().getSourceFile(join(root, file)).statements) {
      if (!(ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export)) continue
      const declared = statement.declarationList?.declarations ?? [statement]
      for (const { name } of declared)
        if (name && ts.isIdentifier(name)) symbols.top.push({ file, path: name.text, name })
      if (ts.isClassDeclaration(statement) && statement.name)
        for (const { kind, name } of statement.members)
          if (kind === ts.SyntaxKind.MethodDeclaration && ts.isIdentifier(name))
            symbols.member.push({ file, path: `${statement.name.text}/${name.text}`, name })
    }
  return Object.entries(symbols).flatMap(([kind, some]) =>
    everyNth(some).map(({ file, path, name }) => {
      const entries = service.findReferences(join(root, file), name.getStart()) ?? []
      const uses = entries
        .flatMap((entry) => entry.references)
        .filter(
          (use) => use.fileName.startsWith(`${root}/`) && !use.fileName.includes('/node_modules/'),
        )
        .flatMap((use) =>
          useOf(service.getProgram().getSourceFile(use.fileName), use.textSpan, root),
        )
      return { kind, file, path, uses: [...new Set(uses)] }
    }),
  )
}

/** `file:line`, but of a name in an import or in its definition. */
function useOf(source, { start, length }, root) {
  const isAround = (child) => child.getStart(source) <= start && child.end >= start + length
  let node = source
  for (
    let inner = source;
    inner;
    inner = ts.forEachChild(node, (child) => (isAround(child) ? child : undefined))
  )
    node = inner
  const { parent } = node
  const isUse =
    parent && (ts.isPropertyAccessExpression(parent) || ts.isShorthandPropertyAssignment(parent))
  const isImport = ts.findAncestor(
    node,
    (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one),
  )
  if (isImport || (parent?.name === node && !isUse)) return []
  return [
    `${relative(root, source.fileName)}:${source.getLineAndCharacterOfPosition(start).line + 1}`,
  ]
}

function hostOf(root, files) {
  const paths = {}
  for (const file of filesOf(root, /(?:^|\/)package\.json$/)) {
    const folder = join(root, dirname(file))
    const { name } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    if (!name || !existsSync(join(folder, 'src'))) continue
    paths[name] = [`${folder}/src/index`]
    paths[`${name}/*`] = [`${folder}/src/*`, `${folder}/src/public/*`, `${folder}/*`]
  }
  const options = {
    allowJs: true,
    allowImportingTsExtensions: true,
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
    paths,
  }
  return {
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) =>
      existsSync(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  }
}

async function foundUses(code, name) {
  const lines = new Set()
  for (let from = 0; from !== undefined; ) {
    const { files, next } = await code.references(name, { from })
    for (const { file, usedIn } of files)
      for (const used of usedIn) for (const line of used.lines) lines.add(`${file}:${line}`)
    from = next
  }
  return lines
}

const sumOf = (some) => some.reduce((sum, one) => sum + one, 0)

/** One line of figures, and each symbol with misses. */
async function compare(code, symbols) {
  const started = performance.now()
  const all = []
  for (const { file, path, uses } of symbols) {
    const reported = await foundUses(code, `${file}#${path}`)
    const lost = uses.filter((use) => !reported.has(use))
    const extra = [...reported].filter((use) => !uses.includes(use))
    all.push({ right: uses.length - lost.length, lost: lost.length, extra: extra.length })
    if (values.misses && !path.includes('/') && lost.length + extra.length > 0)
      console.log(
        `  ${file}#${path}: lost ${lost.length} of ${uses.length}: ${lost.slice(0, 3)}; extra ${extra.length}: ${extra.slice(0, 3)}`,
      )
  }
  const ms = ((performance.now() - started) / symbols.length).toFixed(0)
  const [right, lost, extra] = ['right', 'lost', 'extra'].map((key) =>
    sumOf(all.map((one) => one[key])),
  )
  const [p, r, f1] = [
    right / (right + extra),
    right / (right + lost),
    right / (right + (lost + extra) / 2),
  ]
  return `${symbols.length} symbols, ${right + lost} uses, P ${p.toFixed(3)} R ${r.toFixed(3)} F1 ${f1.toFixed(3)}, ${ms} ms each`
}

for (const [language, names] of Object.entries(repositories))
  for (const [name, set] of Object.entries(names)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const root = realpathSync(join(values.repos, name))
    const cacheFolder = mkdtempSync(join(tmpdir(), 'uses-'))
    const code = await createCode({ roots: [root], cacheFolder })
    await code.index()
    const symbols = references[language](root)
    for (const [kind, label] of Object.entries(kinds)) {
      const some = symbols.filter((symbol) => symbol.kind === kind)
      console.log(`${language} ${name} (${set}), ${label}: ${await compare(code, some)}`)
    }
    await code.close()
    rmSync(cacheFolder, { recursive: true })
  }
