import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the tests of a file, or of the `describe` around the call; or until `end` calls. */
export function temporaryFolder(end: (remove: () => void) => void = afterAll): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-test-')))
  end(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
