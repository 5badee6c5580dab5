import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { publishedLibraries } from '../published.ts'
import { packed } from './packed.ts'

const execute = promisify(execFile)

/** Everything that the libraries export can be imported from. */
const entries = publishedLibraries.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return Object.keys(exports).map((path) => join('@pith-mcp', name, path))
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
