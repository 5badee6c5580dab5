import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { browserPath, noBrowser } from './world/open-browser.ts'

const day = fileURLToPath(new URL('../../bench/console/day.mjs', import.meta.url))
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

test.runIf(isRun)(
  `each figure of the pages is that of the journal (or: ${noBrowser})`,
  () => {
    const words = [day, '--lines', '800', '--hours', '30', '--seed', '11']
    const env = { ...process.env, CHROME_PATH: browserPath }
    // It exits with 1, and names them, if figures differ.
    const output = execFileSync(process.execPath, words, { encoding: 'utf8', env })
    const [, compared] = /^(\d+) figures compared, 0 unequal, over 800 lines\.$/m.exec(output) ?? []
    expect(Number(compared)).toBeGreaterThan(1_000)
  },
  180_000,
)
