import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The scripts have no types of their own. */
const { faultsOfMutants } = (await import(
  new URL('../scripts/house/mutants.mjs', import.meta.url).href
)) as { faultsOfMutants(): string[] }

test('each mutant replaces a text that occurs once', () => {
  expect(faultsOfMutants()).toEqual([])
})

// Some fifty runs of vitest, two at a time: the first change of each row.
test.skipIf(!process.env['LONG'])(
  'a test notices each mutant',
  async () => {
    const command = promisify(execFile)(process.execPath, [
      'scripts/house.mjs',
      '--mutants',
      '--first',
    ])
    const { stdout } = await command.catch((error: { stdout: string }) => error)
    expect(stdout).toMatch(/^\d+ caught, 0 missed$/m)
  },
  1_800_000,
)
