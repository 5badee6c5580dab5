import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPackage } from './read-package.mjs'

/** Lines of source, statements, tests and scripts of the repository in a folder. */
export function sizesHere(root = '.') {
  const folders = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  )
  const files = folders.flatMap(readPackage)
  const tests = [join(root, 'test'), ...folders.map((folder) => join(folder, 'test'))]
  const sum = (counts) => counts.reduce((total, count) => total + count, 0)
  return {
    source: sum(files.map(({ lines }) => lines)),
    statements: sum(files.map(({ kinds }) => kinds.statements)),
    tests: sum(tests.map((folder) => linesIn(folder, /\.(?:ts|mjs)$/))),
    scripts: linesIn(join(root, 'scripts'), /\.(?:mjs|json)$/),
  }
}

/** The same at a commit, which is unpacked for it. */
export function sizesOf(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  try {
    const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return sizesHere(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesIn(folder, pattern) {
  let names = []
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    // A package may have no tests.
  }
  return names
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .reduce((sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').length - 1, 0)
}
