import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['@pith-mcp/source']
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } }
/** Ends what hangs, on a machine that has much else to do as well. No test waits for it. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000 }

const packed = ['test/built/{packages,walk}.test.ts']

/** One test project per workspace package, all resolving siblings from source. */
const projects = ['packages', 'apps'].flatMap((room) =>
  readdirSync(room).map((name) => ({
    ...fromSource,
    test: { name, root: `${room}/${name}`, ...patience },
  })),
)

export default defineConfig({
  test: {
    // Most files wait for processes they start: on two cores four of them are faster than one.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      ...projects,
      { ...fromSource, test: { name: 'repo', include: ['test/*.test.ts'], ...patience } },
      // What is published, from `dist`: run `pnpm build` first.
      { test: { name: 'built', include: ['test/built/*.test.ts'], exclude: packed, ...patience } },
      // As strangers install it: packed and installed once for all of these files.
      {
        test: {
          name: 'packed',
          include: packed,
          globalSetup: ['test/built/pack-once.ts'],
          ...patience,
        },
      },
      // In a browser, from `dist` too, when the others are done: each file has processes of its own.
      {
        test: {
          name: 'browser',
          include: ['test/{console,site}/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...patience,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
