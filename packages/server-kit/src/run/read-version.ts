import { readFileSync } from 'node:fs'

/** The version in `../package.json` of a module, so that the two cannot differ. */
export function readVersion(moduleUrl: string): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'))
  return (manifest as { version: string }).version
}
