import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const conditions = ['@pith-mcp/source']
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } }
const common = {
  // Ends what hangs, on a machine that has much else to do as well. No test waits for it.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What is tested is this copy, and ends with its test.
  env: { AGGREGATOR_MCP_SHARE: 'off' },
  // Ends a wait for what does not happen. What does is seen at once, however long it took.
  expect: { poll: { timeout: 25_000 } },
  // The files of a worker share the modules they load, which saves a third of the processor time: a
  // test leaves none of them changed.
  isolate: false,
}

/** Replaces a text of a source file as it is loaded, for `pnpm house --mutants`. */
const { file, from, to } = JSON.parse(process.env['MUTANT'] || '{}')
const mutant = {
  name: 'mutant',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    file && id === resolve(file) ? code.replace(from, () => to) : undefined,
}

/** Projects whose files take long, most of it waiting: they begin first, and the others fill in. */
const slow = ['browser', 'packed', 'built', 'running', 'docs', 'aggregator']
/** With a seed, files run in an order by it: what a file leaves behind must not decide a result. */
const seed = process.env['ORDER_SEED']

/** Files of a project stay together: a worker loads all modules again for another project. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project: { name } }: TestSpecification) =>
      `${slow.includes(name) ? slow.indexOf(name) : name}`
    const draw = ({ moduleId }: TestSpecification) =>
      createHash('md5')
        .update(`${seed} ${relative('.', moduleId)}`)
        .digest('hex')
    const inTurn = (key: typeof place) => (one: TestSpecification, other: TestSpecification) =>
      key(one) < key(other) ? -1 : 1
    const sorted = seed ? files.toSorted(inTurn(draw)) : await super.sort(files)
    return sorted.toSorted((one, other) =>
      place(one) === place(other) ? 0 : inTurn(place)(one, other),
    )
  }
}

const packed = ['test/built/{packages,strangers,walk}.test.ts']
/** Tests of aggregator-mcp that start the built program. */
const running = ['test/{running,fidelity,telemetry,log}/**/*.test.ts', 'test/open/tls.test.ts']

/** One test project per workspace package, all resolving siblings from source. */
const projects = ['packages', 'apps'].flatMap((room) =>
  readdirSync(room).map((name) => ({
    ...fromSource,
    test: {
      name,
      root: `${room}/${name}`,
      ...common,
      ...(name === 'aggregator-mcp' && { exclude: [...configDefaults.exclude, ...running] }),
    },
  })),
)

export default defineConfig({
  test: {
    // Most files wait for processes they start: on two cores four of them are faster than two.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: ByProject },
    projects: [
      ...projects,
      { ...fromSource, test: { name: 'repo', include: ['test/*.test.ts'], ...common } },
      // The projects below run what is published, from `dist`: run `pnpm build` first.
      {
        ...fromSource,
        test: { name: 'running', root: 'apps/aggregator-mcp', include: running, ...common },
      },
      { test: { name: 'built', include: ['test/built/*.test.ts'], exclude: packed, ...common } },
      // As strangers install it: packed and installed once for all of these files.
      {
        test: {
          name: 'packed',
          include: packed,
          globalSetup: ['test/built/pack-once.ts'],
          ...common,
        },
      },
      // In a browser, from `dist` too: each file has processes of its own.
      {
        test: {
          name: 'browser',
          include: ['test/{console,site}/*.test.ts'],
          ...common,
          testTimeout: 180_000,
        },
      },
    ].map((project) => ({ ...project, plugins: [mutant] })),
  },
})
