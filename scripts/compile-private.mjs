// Compile the modules of private packages that the library in the current folder imports, as `#NAME/…`,
// into its own `dist/NAME/`, with all that these import: its archive needs no package that is not
// published. In their own folder, such packages import each other from source; where they are compiled
// to, the same specifiers lead to `dist/` by the `imports` of the library.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const { imports } = JSON.parse(readFileSync('package.json', 'utf8'))
const imported = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...readFileSync(join('src', name), 'utf8').matchAll(/'#(\w+)\/([\w/-]+)'/g)])
  .map(([, name, module]) => join(packages, name, 'src', `${module}.ts`))
const config = 'tsconfig.private.json'
const compiled = 'dist/private'
try {
  writeFileSync(
    config,
    JSON.stringify({
      extends: './tsconfig.build.json',
      // Archives have no sources of private packages that a map could lead to.
      compilerOptions: {
        rootDir: packages,
        outDir: compiled,
        sourceMap: false,
        declarationMap: false,
      },
      include: [],
      files: [...new Set(imported)],
    }),
  )
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', config], { stdio: 'inherit' })
  for (const name of readdirSync(compiled)) {
    if (!imports[`#${name}/*`]) throw new Error(`package.json has no import "#${name}/*".`)
    renameSync(join(compiled, name, 'src'), join('dist', name))
  }
} finally {
  rmSync(config, { force: true })
  rmSync(compiled, { recursive: true, force: true })
}
