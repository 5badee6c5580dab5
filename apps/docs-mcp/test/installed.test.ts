import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import {
  maxBytes,
  maxFiles,
} from '../../../packages/installed/src/declarations/describe-declarations.ts'
import { maxNames } from '../../../packages/installed/src/declarations/signature-of.ts'
import { listLibraries } from '../src/cli/list-libraries.ts'
import { runVerb } from '../src/cli/run-verb.ts'
import { parseConfig, type Question } from '../src/config.ts'
import { openDocs } from '../src/open-docs.ts'
import { createServer } from '../src/server.ts'

const folder = temporaryFolder()
let docs: Docs
let client: Client

const widgets = {
  'package.json': {
    name: 'widgets',
    version: '4.2.1',
    types: './dist/index.d.ts',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './extra/*': './dist/extra/*.js',
      './up': '../../secret.js',
    },
  },
  'README.md': '# Widgets\n\nTurn cranks.',
  'dist/index.d.ts': `import { hidden } from './parts/levers.js'
import * as tools from './tools.js'
export * from './parts/levers.js'
export * as gears from './parts/gears'
export { inner as crank } from './parts/gears.js'
export { leak } from '../../secret.js'
export { link } from './linked.js'
export { other } from 'elsewhere'
export { default as Wheel } from './wheel.js'
export { tools, hidden as shown }
/** The number of *teeth*. @deprecated */
export declare const teeth: { min: number; max: number };
export declare type Size = 'small'
  | 'large';
declare class Secret {}
`,
  'dist/parts/levers.d.ts': `export * from '../index.js'
/**
 * Pulls a lever.
 * # Not a section
 * @param force In newtons.
 * @example
 * \`\`\`ts
 * pull(3)
 * \`\`\`
 */
export declare function pull(force: number): Lever;
export declare function pull(force: string): Lever;
/** A lever. */
export interface Lever extends Part {
  /** Its length in metres. */
  readonly length: number;
  /* no documentation */
  private hiddenPart: string;
  /** Bends it. */
  bend(by: number): void;
  bend(by: string): void;
}
declare const hidden: string;
export { hidden }
export declare function __proto__(): void;
`,
  'dist/parts/gears.d.ts': `export { inner, teeth as toString } from './gears'
export { loop } from './loop.js'
export declare function inner(): void;
export declare enum Kind { Spur = 1, Worm = 2 }
`,
  'dist/parts/loop.d.ts': `export { loop } from './gears.js'`,
  'dist/wheel.d.ts': 'import Rim = require("./rim");\nexport default Rim;\n',
  'dist/rim.d.ts': 'import Inner from "./inner";\nexport = Inner;\n',
  'dist/inner.d.ts':
    'export default class Inner {\n  /** Rolls. */\n  roll(): void;\n}\nexport {};\n',
  'dist/tools.d.ts': `declare function wrench(): void; export = wrench;`,
  'dist/extra/oil.d.ts': `export default function oil(): void;\n`,
  'dist/extra/big.d.ts': `export declare const big: 1;\n//${'x'.repeat(2 ** 22)}`,
}

async function write(files: Readonly<Record<string, string | object>>, below: string) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, below, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const rotorFiles = {
  'rotor/__init__.pyi':
    'from ._core import turn as turn\nfrom elsewhere import strange as strange\nSPEED: int\n',
  'rotor/__init__.py': 'SPEED = 1\n',
  'rotor/_core.pyi': 'def turn(by: int) -> None: ...\n',
  'rotor/_core.py': 'def turn(by):\n    "Turns it."\n',
  'rotor/forms.py': 'class Hub:\n    pass\n\nclass Rim(Hub): pass\n',
  'rotor/parts/__init__.py': `from rotor.parts.caps import *
from rotor.parts.caps import __all__ as caps_all
__all__ = caps_all + ["Hub"]
__all__ += ["Rim"]
class Hub:
    "A hub."
    size: int = 3
    _hidden = 1
    def spin(self):
        inner = 2
class Rim: pass
`,
  'rotor/parts/caps.py': '__all__ = ["Cap"]\nclass Cap: pass\nclass Other: pass\n',
}
const rotor = {
  ...rotorFiles,
  'rotor-1.0.dist-info/METADATA': 'Name: rotor\n',
  'rotor-1.0.dist-info/RECORD': Object.keys(rotorFiles).join(',,\n'),
  'elsewhere.py': 'def strange(): "Of another distribution."\n',
}
const site = '.venv/lib/python3.12/site-packages'

beforeAll(async () => {
  await write(
    {
      'package.json': { dependencies: { widgets: '^4', plain: '1' } },
      'requirements.txt': 'turbine\nrotor\n',
      'secret.d.ts': 'export declare function leak(): void;',
    },
    '.',
  )
  await write(widgets, 'node_modules/widgets')
  await write({ 'secret.d.ts': 'export declare function leak(): void;' }, 'node_modules')
  await symlink(join(folder, 'secret.d.ts'), join(folder, 'node_modules/widgets/dist/linked.d.ts'))
  await write({ 'package.json': { name: 'plain', version: '1.0.0' } }, 'node_modules/plain')
  await write(
    {
      'package.json': { name: '@types/plain', version: '1.0.3', types: 'index.d.ts' },
      'index.d.ts': `/// <reference path="./levers.d.ts" />
/// <reference path="./cranks.d.ts" />
declare module "plain" {
  export function simple(): void;
  namespace gears {
    interface Ratio {
      /** Teeth of the smaller gear. */
      small: number;
    }
  }
}
`,
      'levers.d.ts': `import plain = require("./index");
declare module "./index" {
  interface Machine {
    /** Pulls a lever. */
    pull(force: number): void;
  }
}
`,
      'cranks.d.ts': `import plain = require("./index");
declare module "./index" {
  interface Machine {
    pull(force: string): void;
    /** Turns a crank. */
    turn(by: number): void;
  }
}
`,
    },
    'node_modules/@types/plain',
  )
  await write(
    {
      'turbine-2.1.dist-info/METADATA': 'Name: turbine\n\n# Turbine',
      'turbine-2.1.dist-info/RECORD':
        'turbine/__init__.py,,\nturbine/blades.py,,\nturbine/_private.py,,\n../../../../secret.py,,\n',
      'turbine/__init__.py': 'from .blades import (\n    spin as spin,  # public\n    Blade,\n)\n',
      'turbine/blades.py': `def spin(rate: int) -> int:
    """Spins the blades.

    At a rate.
    """
    return rate

class Blade:
    """One blade."""
    def turn(self, by):
        "Turns it."
    def _fold(self): pass

def _hidden(): pass
`,
      'turbine/_private.py': 'def never(): pass\n',
    },
    site,
  )
  await write(rotor, site)
  vi.stubEnv('CLAUDE_PROJECT_DIR', folder)
  docs = await openDocs(parseConfig(['--no-cache']).settings, [])
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createServer({ openDocs: async () => docs, hasProject: true, offline: true })
  client = new Client({ name: 'test', version: '0' })
  await Promise.all([server.connect(far), client.connect(near)])
})

afterAll(async () => {
  await client.close()
  await docs.close()
  vi.unstubAllEnvs()
})

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

const titles = async (address: string): Promise<string[]> =>
  (await docs.toc(address)).entries.filter(({ level }) => level === 2).map(({ title }) => title)

test('the exported names of a package are sections, through its re-exports', async () => {
  expect((await titles('widgets@4.2.1/API')).sort()).toEqual(
    [
      ...[
        'Lever',
        'Size',
        'Wheel',
        '__proto__',
        'crank',
        'gears',
        'gears.Kind',
        'oil',
        'other',
        'pull',
        'shown',
      ],
      ...['teeth', 'tools', 'tools.wrench'],
    ].sort(),
  )
})

test('a declaration with several names is one section, under all of them', async () => {
  const { section, markdown } = await docs.section('widgets', 'hidden')
  expect(section.id).toBe('shown')
  expect(markdown).toContain('Also `hidden`.')
  expect((await docs.section('widgets', 'gears.inner')).section.id).toBe('crank')
})

test('a section has signatures, the comment and members', async () => {
  const { markdown } = await docs.section('widgets', 'pull', { includeCodeBlocks: true })
  expect(markdown).toBe(
    [
      '## pull',
      '`export declare function pull(force: number): Lever`',
      '`export declare function pull(force: string): Lever`',
      'Pulls a lever.\n**Not a section**\n- *param* force In newtons.',
      '```ts\npull(3)\n```',
    ].join('\n\n'),
  )
  const lever = await docs.section('widgets@4.2.1/API#Lever', undefined)
  expect(lever.markdown).toContain('`export interface Lever extends Part`')
  expect(lever.markdown).toContain('`readonly length: number`\n\nIts length in metres.')
  expect(lever.markdown).not.toContain('hiddenPart')
  const bend = await docs.section('widgets', 'Lever.bend')
  expect(bend.markdown).toContain(
    '`bend(by: number): void`\n\n`bend(by: string): void`\n\nBends it.',
  )
})

test('nothing outside of the package is read, and the reply says what was not read', async () => {
  const { markdown } = await docs.content('widgets@4.2.1/API', { maxLength: 0 })
  expect(markdown).not.toContain('leak')
  expect(markdown).toContain('Declared in the package `elsewhere`.')
  expect(markdown).toContain('Files not read, beyond the limits: 1.')
})

test('the manual has the limits of an API page', async () => {
  const manual = await readFile(
    new URL('../../../docs/search/installed.md', import.meta.url),
    'utf8',
  )
  const [names, files] = [maxNames, maxFiles].map((count) => count.toLocaleString('en'))
  expect(manual).toContain(`at most ${names} names of ${files} files, ${maxBytes / 2 ** 20} MB`)
})

test('types of another package are those of @types, and say so', async () => {
  const { origin, markdown } = await docs.section('plain', 'simple')
  expect(origin.library).toBe('plain 1.0.0, installed: types of @types/plain 1.0.3')
  expect(markdown).toContain('function simple(): void')
})

test('types of namespaces have their members', async () => {
  const ratio = await docs.section('plain', 'plain.gears.Ratio')
  expect(ratio.markdown).toContain('`small: number`\n\nTeeth of the smaller gear.')
  expect((await docs.section('plain', 'plain')).markdown).not.toContain('Ratio')
})

test('what several files add to a type of another file is one section', async () => {
  const { markdown } = await docs.section('plain', 'Machine')
  expect(markdown.match(/interface Machine/g)).toHaveLength(1)
  expect(markdown).toContain('`turn(by: number): void`\n\nTurns a crank.')
  expect((await docs.section('plain', 'Machine.pull')).markdown).toContain(
    '`pull(force: number): void`\n\n`pull(force: string): void`\n\nPulls a lever.',
  )
})

test('a Python package has its public definitions under the names it exports', async () => {
  expect(await titles('turbine@2.1/API')).toEqual(['turbine.spin', 'turbine.Blade'])
  const { markdown } = await docs.section('turbine', 'spin')
  expect(markdown).toBe(
    '## turbine.spin\n\n`def spin(rate: int) -> int`\n\nAlso `turbine.blades.spin`.\n\nSpins the blades.\n\nAt a rate.',
  )
  const blade = await docs.section('turbine', 'turbine.Blade')
  expect(blade.markdown).toContain('`def turn(self, by)`\n\nTurns it.')
  expect(blade.markdown).not.toContain('_fold')
})

test('what a Python package exports out of private modules and stubs has its documentation', async () => {
  expect(await titles('rotor/API')).toEqual([
    'rotor.SPEED',
    'rotor.turn',
    'rotor.forms.Hub',
    'rotor.forms.Rim',
    'rotor.parts.Hub',
    'rotor.parts.Rim',
    'rotor.parts.Cap',
  ])
  expect((await docs.section('rotor', 'turn')).markdown).toBe(
    '## rotor.turn\n\n`def turn(by: int) -> None`\n\nTurns it.',
  )
  const { markdown } = await docs.section('rotor', 'rotor.parts.Hub')
  expect(markdown).toContain('`size: int = 3`')
  expect(markdown).not.toMatch(/_hidden|inner/)
  expect((await docs.section('rotor', 'api')).markdown).toContain('declare: elsewhere.')
})

test('a name that several modules of a package have is one of their whole names', async () => {
  expect((await docs.section('rotor', 'Cap')).markdown).toContain('class Cap')
  await expect(docs.section('rotor', 'Hub')).rejects.toThrow(/2 sections match "Hub"/)
})

test('every reply says the package, its version and where it was read', async () => {
  const place = 'widgets 4.2.1, installed: README and types'
  expect(client.getInstructions()).toContain('what this project has installed, by name')
  expect(await call('search_docs', { query: 'lever', source: 'widgets' })).toContain(place)
  for (const [tool, args] of [
    ['get_doc_toc', {}],
    ['get_doc_section', { section: 'Lever' }],
    ['search_in_doc', { query: 'lever' }],
    ['get_doc_content', {}],
  ] as const)
    expect(await call(tool, { url: 'widgets', ...args }), tool).toContain(place)
  expect(await call('search_docs', { query: 'x', source: 'widgets@3' })).toMatch(
    /widgets "3" is not installed: .* has widgets 4\.2\.1\. For the nearest/,
  )
})

async function run(words: readonly string[]): Promise<string> {
  const config = parseConfig([...words, '--no-cache'])
  const { text } = await runVerb(config.command as Question, config, () => {})
  return text
}

test('commands take names, too', async () => {
  expect(await run(['search', 'widgets', 'pull', 'lever'])).toContain('widgets@4.2.1/API')
  expect(await run(['section', 'widgets@4', 'teeth'])).toContain('The number of *teeth*.')
  expect(await run(['toc', 'widgets@4.2.1/API'])).toContain('gears.Kind')
  await expect(run(['toc', 'missing.html'])).rejects.toThrow(/no file or folder/)
  await expect(run(['toc', 'midgets'])).rejects.toThrow(/"midgets" is not installed/)
})

test('libraries lists what is installed and what it has', async () => {
  // The project is the one that the client names.
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(tmpdir())
  const { text } = await listLibraries(parseConfig(['libraries']))
  expect(text.split('\n')).toEqual([
    'widgets 4.2.1 (dependencies): README 1 kB, types',
    'plain 1.0.0 (dependencies): types of @types/plain 1.0.3',
    'turbine 2.1 (dependencies): README 1 kB, types',
    'rotor 1.0 (dependencies): types',
    '4 packages, 4 installed',
  ])
  cwd.mockRestore()
  const json = await listLibraries(parseConfig(['libraries', '--json']))
  expect(JSON.parse(json.text)[0]).toMatchObject({ name: 'widgets', types: 'widgets 4.2.1' })
  await expect(listLibraries(parseConfig(['libraries', 'widgets']))).rejects.toThrow(/no arguments/)
})

test('with a source, over HTTP or without a manifest there are no libraries', async () => {
  const { settings } = parseConfig([])
  const { projectFolder } = await import('../src/project-folder.ts')
  const here = { CLAUDE_PROJECT_DIR: folder }
  expect(projectFolder(settings, [], here)).toBe(folder)
  expect(projectFolder(settings, ['docs'], here)).toBeUndefined()
  expect(projectFolder({ ...settings, http: '8080' }, [], here)).toBeUndefined()
  expect(projectFolder({ ...settings, site: ['aws'] }, [], here)).toBeUndefined()
  expect(projectFolder(settings, [], { CLAUDE_PROJECT_DIR: join(folder, site) })).toBeUndefined()
})
