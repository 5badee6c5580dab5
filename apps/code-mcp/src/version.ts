import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** Of the package, so that it cannot disagree with it. */
export const version = (manifest as { version: string }).version
