import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  scripts?: Record<string, string>
  packageManager?: string
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))

/** Each library that the design names, and a file that ships and imports it. */
const shipped = {
  unified: 'packages/cleaner/src/clean-visible.ts',
  'rehype-parse': 'packages/cleaner/README.md',
  'rehype-remark': 'packages/cleaner/src/remark/pith-remark.ts',
  'remark-stringify': 'packages/cleaner/README.md',
  'hast-util-select': 'packages/cleaner/src/region/rehype-main-region.ts',
  '@modelcontextprotocol/server': 'apps/docs-mcp/src/server.ts',
  '@modelcontextprotocol/client': 'packages/aggregator/src/upstream/transport/direct-requests.ts',
}

test.for(Object.entries(shipped))('%s is used in %s', ([library, path]) => {
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`from '${library}['/]`))
  const folder = path.split('/').slice(0, 2).join('/')
  const { dependencies, devDependencies, peerDependencies } = manifestOf(folder)
  // Servers are bundled with what they use; the parts of the stock composition are optional peers.
  const isBundled = folder.startsWith('apps/')
  const all = { ...dependencies, ...peerDependencies, ...(isBundled && devDependencies) }
  expect(Object.keys(all)).toContain(library)
})

test('the tools of the design are those of the repository', () => {
  const { devDependencies, packageManager, scripts } = manifestOf('.')
  expect(Object.keys(devDependencies ?? {})).toEqual(
    expect.arrayContaining(['@changesets/cli', 'turbo', 'vitest']),
  )
  expect(packageManager).toMatch(/^pnpm@/)
  expect(scripts?.['build']).toBe('turbo run build')
  const files = execFileSync('git', ['ls-files', 'turbo.json', 'pnpm-workspace.yaml', '.changeset'])
  expect(String(files)).toMatch(/^\.changeset\/[\s\S]*^pnpm-workspace\.yaml\nturbo\.json$/m)
})
