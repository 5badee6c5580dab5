import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ledger = fileURLToPath(new URL('../../bench/cleaner/ledger.mjs', import.meta.url))

const hasPackages = existsSync('/usr/bin/apt-get')

/** Debian packages of some twenty generators are fetched for it once. */
test.skipIf(!process.env['LONG'] || !hasPackages)(
  'on pages of many generators, less than a thousandth of the words is in no section and no removal',
  { timeout: 300_000 },
  () => {
    const report = execFileSync('node', [ledger], { encoding: 'utf8' })
    const [, pages, words, missing] =
      /(\d+) pages, (\d+) words, in neither: (\d+)/.exec(report) ?? []
    expect(Number(pages)).toBeGreaterThanOrEqual(400)
    expect(Number(missing) / Number(words)).toBeLessThan(0.001)
  },
)
