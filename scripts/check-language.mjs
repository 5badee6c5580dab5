// Words and forms that the project does not use: scripts/language/banned.json has them, with what to
// write instead. Identifiers are checked in source files; prose in comments, strings, JSX and Markdown.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

const { identifiers, prose, allow } = JSON.parse(
  readFileSync(new URL('language/banned.json', import.meta.url), 'utf8'),
)

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  },
)
  .split('\0')
  .filter((file) => existsSync(file))
  .filter(
    (file) =>
      /^(packages|apps)\/[^/]+\/(src|web|README)|^docs\/|^[A-Z]+\.md$|^scripts\/.*\.mjs$/.test(
        file,
      ) &&
      /\.(ts|tsx|mjs|md)$/.test(file) &&
      !file.endsWith('schema.d.ts') &&
      !Object.hasOwn(allow, file),
  )

/** In comments: code, texts between quotes, tags of JSDoc, addresses. */
const quoted =
  /`[^`]*`|"[^"]*"|'[^'\n]*'|\{@\w+ [^}]*\}|@(?:param|typedef|type|returns)\b.*|https?:\S+|@[\w/-]+/g
/** Words of prose in mixed case. */
const spelledSo = ['camelCase', 'kB', 'macOS', 'reStructuredText', 'uPlot', 'vLLM']

const problems = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const inLines = lines.flatMap((line, index) =>
    [...faultsOfProse(line), ...(file.endsWith('.md') ? [] : faultsOfNames(line))].map(
      ({ found, instead }) => `${file}:${index + 1}: “${found}”. Write instead: ${instead}.`,
    ),
  )
  return [...inLines, ...(file.endsWith('.md') ? [] : faultsOfComments(file, text))]
})

/** A rename that does not tell prose from code leaves an identifier in a sentence. */
function faultsOfComments(file, text) {
  return parseSync(file, text).comments.flatMap(({ value, start }) => {
    const sentences = value.replace(quoted, ' ')
    const names = sentences.match(/(?<![\w./$-])[a-z]+[A-Z]\w*(?![\w/(]|\.\w)/g) ?? []
    return names
      .filter((name) => !spelledSo.includes(name))
      .map(
        (name) =>
          `${file}:${text.slice(0, start).split('\n').length}: “${name}” in a comment. Put an identifier between backticks.`,
      )
  })
}

function faultsOfProse(line) {
  return prose.flatMap(({ pattern, instead }) => {
    const [found] = new RegExp(pattern, 'i').exec(line) ?? []
    return found === undefined ? [] : [{ found, instead }]
  })
}

function faultsOfNames(line) {
  // What stands in a comment or between quotes is prose.
  const code = line.replace(/\/\/.*|\/\*.*?\*\/|^\s*\*.*|'[^']*'|"[^"]*"|`[^`$]*`/g, '')
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g) ?? [])].flatMap((found) =>
    identifiers
      .filter(({ pattern, allow }) => new RegExp(pattern).test(found) && !allow.includes(found))
      .map(({ instead }) => ({ found, instead })),
  )
}

for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} banned words or forms.`)
process.exitCode = problems.length === 0 ? 0 : 1
