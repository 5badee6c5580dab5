import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** Read from the package, so that the two cannot differ. */
export const version = (manifest as { version: string }).version
