import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { publishedLibraries } from '../published.ts'
import { packed } from './packed.ts'

const execute = promisify(execFile)

/** Everything that the libraries export can be imported from. */
const entries = publishedLibraries.flatMap((name) => {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  // The archive has the exports of publishConfig, if there are some.
  return Object.keys(manifest.publishConfig.exports ?? manifest.exports).map((path) =>
    join('@pith-mcp', name, path),
  )
})

const isLong = process.env['LONG'] === '1'
const bundlers = ['bundler', 'preserve'] as const
const compilers = [['TypeScript 7', '.'], ...(isLong ? [['TypeScript 5', 'packages/console']] : [])]

const resolutions = [['nodenext', 'nodenext'] as const, ...(isLong ? [bundlers] : [])]

describe.for(compilers)('%s', ([, folder = '']) => {
  test.for(resolutions)(
    'accepts all types, also those of dependencies: %s',
    {
      timeout: 120_000,
    },
    async ([how, module]) => {
      const file = join(packed.installed, `${how}.mts`)
      writeFileSync(file, entries.map((entry, n) => `export * as e${n} from '${entry}'\n`).join(''))
      const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')]
      const rules = ['--strict', '--skipLibCheck', 'false', '--target', 'es2023', '--lib', 'es2023']
      const words = ['--module', module, '--moduleResolution', how, '--noEmit']
      const tsc = resolve(folder, 'node_modules/typescript/bin/tsc')
      // What it prints are the errors. In a folder without settings for a compiler.
      const run = execute('node', [tsc, ...rules, ...words, ...types, file], {
        cwd: packed.installed,
      }).catch((error) => error)
      expect((await run).stdout).toBe('')
    },
  )
})

/** The code of a module and all that it imports, in the way of esbuild for a browser. */
async function bundle(code: string): Promise<Uint8Array> {
  const stdin = { contents: code, resolveDir: packed.installed }
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const
  const { outputFiles } = await build({ ...options, stdin, logLevel: 'silent' })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

const readmes = publishedLibraries.map((name) => ({
  name,
  readme: readFileSync(`packages/${name}/README.md`, 'utf8'),
}))

const sizes = readmes.flatMap(({ name, readme }) =>
  [...readme.matchAll(/^\| `([\w`, ]+)` +\| ([\d.]+) kB +\|$/gm)].map(
    ([, exports = '', kilobytes]) => [name, exports.replaceAll('`', ''), kilobytes] as const,
  ),
)
/** Of the figure in a README: what versions of dependencies may add. */
const tolerance = 0.03

test.for(sizes)('%s: %s take %s kB, minified and compressed', async ([name, exports, stated]) => {
  const code = await bundle(`import { ${exports} } from '@pith-mcp/${name}'
    globalThis.used = [${exports}]`)
  const kilobytes = gzipSync(code, { level: 9 }).length / 1000
  expect(Math.abs(kilobytes - Number(stated)) / kilobytes).toBeLessThan(tolerance)
})

test('sizes are stated of what runs anywhere', () => {
  expect([...new Set(sizes.map(([name]) => name))]).toEqual(['cleaner', 'paginator', 'scorer'])
})

const examples = publishedLibraries.flatMap((name) =>
  readdirSync(`packages/${name}/examples`).map((file) => ({
    name,
    file: `packages/${name}/examples/${file}`,
  })),
)

/** As strangers run it, under a name that keeps the examples of the packages apart. */
function copyOf(example: string): string {
  const to = join(packed.installed, `any-${example.replaceAll('/', '-').replace(/\.ts$/, '.mjs')}`)
  cpSync(example, to)
  return to
}

const pure = examples.filter(
  // The stock composition brings parsers of others, which need a document where one is expected.
  ({ name, file }) => sizes.some(([sized]) => sized === name) && !file.includes('remark'),
)

test.for(pure)('$file runs as one file without a document', async ({ file }) => {
  const whole = copyOf(file)
  const bundled = whole.replace(/\.mjs$/, '.bundle.mjs')
  writeFileSync(bundled, await bundle(readFileSync(file, 'utf8')))
  const [one, many] = await Promise.all([bundled, whole].map((path) => execute('node', [path])))
  expect(one?.stdout).toBe(many?.stdout)
})

/** Runtimes print strings in lists with different quotes, and break lines elsewhere. */
const plain = (output: string): string => output.replace(/[\s'"]+/g, '')

describe.runIf(isLong)('other runtimes', () => {
  const runtimes = [
    ['Bun', 'bun', []],
    ['Deno', 'deno', ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual']],
  ] as const

  describe.for(runtimes)('%s', ([label, program, words]) => {
    // Deno may wait for ever for a thread that parses code.
    const claimed = ({ name }: { name: string }) => label !== 'Deno' || name !== 'code'
    test.for(examples.filter(claimed))(
      'runs $file',
      { timeout: 60_000 },
      async ({ file }, { skip }) => {
        const { runtimes } = packed
        if (!runtimes) return skip('The programs could not be installed.')
        const path = copyOf(file)
        const [expected, { stdout }] = await Promise.all([
          execute('node', [path]),
          execute(join(runtimes, program), [...words, path]),
        ])
        expect(plain(stdout)).toBe(plain(expected.stdout))
      },
    )

    test.for(readmes.filter(claimed))('the README of $name says so', ({ readme }) => {
      expect(readme.slice(readme.indexOf('## Compatibility'))).toContain(label)
    })
  })
})
