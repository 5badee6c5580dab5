// Compile what the library in the current folder imports from packages/base into its own `dist/base/`,
// so that its archive needs no package that is not published.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const base = fileURLToPath(new URL('../packages/base/src', import.meta.url))
const imported = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...readFileSync(join('src', name), 'utf8').matchAll(/'#base\/([\w-]+)'/g)])
  .map(([, name]) => join(base, `${name}.ts`))
const config = 'tsconfig.base.json'
try {
  writeFileSync(
    config,
    JSON.stringify({
      extends: './tsconfig.build.json',
      // Archives have no sources of base that a map could lead to.
      compilerOptions: {
        rootDir: base,
        outDir: 'dist/base',
        sourceMap: false,
        declarationMap: false,
      },
      include: [],
      files: [...new Set(imported)],
    }),
  )
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', config], { stdio: 'inherit' })
} finally {
  rmSync(config, { force: true })
}
