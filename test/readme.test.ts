import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publishedLibraries } from './published.ts'

const examples = publishedLibraries.flatMap((name) => {
  const folder = `packages/${name}/examples`
  return existsSync(folder)
    ? readdirSync(folder).map((file) => ({ name, path: `${folder}/${file}` }))
    : []
})

test('every published library has an example', () => {
  expect([...new Set(examples.map(({ name }) => name))]).toEqual(publishedLibraries)
})

test.for(examples)(
  '$path is quoted in its README and runs',
  { timeout: 60_000 },
  async ({ name, path }) => {
    const fence = `\`\`\`ts\n${readFileSync(path, 'utf8')}\`\`\``
    expect(readFileSync(`packages/${name}/README.md`, 'utf8')).toContain(fence)
    await import(new URL(`../${path}`, import.meta.url).href)
  },
)

test.for([
  'README.md',
  'docs/start/agent.md',
  'docs/start/library.md',
  'docs/start/team.md',
  'docs/connect-a-client.md',
])('%s says that nothing is on npm for as long as that is so', (path) => {
  const { version } = JSON.parse(readFileSync('apps/docs-mcp/package.json', 'utf8'))
  const isSaid = /until it is on npm|not on npm yet/i.test(readFileSync(path, 'utf8'))
  expect(isSaid).toBe(version === '0.0.0')
})
