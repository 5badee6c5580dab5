import { readdirSync, readFileSync } from 'node:fs'

/** The libraries that are published; private packages are bundled into the servers. */
export const publishedLibraries: string[] = readdirSync('packages').filter((name) => {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return manifest.private !== true
})

/** The folders of all published packages. */
export const publishedPaths: string[] = [
  ...publishedLibraries.map((name) => `packages/${name}`),
  ...readdirSync('apps').map((name) => `apps/${name}`),
]
