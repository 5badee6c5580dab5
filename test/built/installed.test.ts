import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithRoots, eras, type ListRoots } from './client-with-roots.ts'

const main = resolve('apps/docs-mcp/dist/main.js')
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'docs-mcp-elsewhere-')))
const project = realpathSync(mkdtempSync(join(tmpdir(), 'docs-mcp-project-')))

beforeAll(() => {
  const library = join(project, 'node_modules/widgets')
  mkdirSync(library, { recursive: true })
  const write = (path: string, text: string) => writeFileSync(path, text)
  write(join(project, 'package.json'), '{"dependencies":{"widgets":"^4"}}')
  write(join(library, 'package.json'), '{"name":"widgets","version":"4.2.1"}')
  write(join(library, 'README.md'), '# Widgets\n\nTurn cranks.\n')
  write(join(library, 'index.d.ts'), '/** Turns. */\nexport declare function crank(): void;\n')
})
afterAll(() => {
  for (const folder of [elsewhere, project]) rmSync(folder, { recursive: true })
})

/** What a client reads of an installed package. */
async function sectionFor(era: string, cwd: string, env = {}, listRoots?: ListRoots) {
  const server = { args: [main, '--no-cache'], cwd, env }
  const client = await clientWithRoots(era, server, listRoots)
  // Some clients list resources before the first call.
  await client.listResources()
  const args = { url: 'widgets', section: 'crank' }
  const { content } = await client.callTool({ name: 'get_doc_section', arguments: args })
  await client.close()
  return (content as { text: string }[])[0]?.text
}

describe.each(eras)('without a source, docs-mcp serves to a client of %s', (era) => {
  const roots: ListRoots = () => ({
    roots: [elsewhere, project].map((folder) => ({ uri: pathToFileURL(folder).href })),
  })

  test('what the project that it has open has installed', async () => {
    expect(await sectionFor(era, elsewhere, {}, roots)).toMatch(
      /widgets 4\.2\.1, installed: README and types[\s\S]*crank\(\): void[\s\S]*Turns\./,
    )
  })
  test('its project, or the one in which it is started', async () => {
    const env = { CLAUDE_PROJECT_DIR: project }
    expect(await sectionFor(era, elsewhere, env)).toContain('widgets 4.2.1')
    expect(await sectionFor(era, project)).toContain('widgets 4.2.1')
  })
  test('no packages in another folder', async () => {
    expect(await sectionFor(era, elsewhere, {}, () => ({ roots: [] }))).toContain(
      '"widgets" is a local path',
    )
  })
})
