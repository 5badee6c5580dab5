import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import { pluginFiles } from './plugins/plugin-files.ts'

const files = [...pluginFiles()].map(([path, text]) => ({ path, text }))

test.for(files)('$path is as its source says', async ({ path, text }) => {
  await expect(text).toMatchFileSnapshot(resolve(path))
})

test('there is no other file of a plugin', () => {
  const args = ['ls-files', '-co', '--exclude-standard', 'plugins']
  const paths = execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')
  expect(paths.filter((path) => !files.some((file) => file.path === path))).toEqual([])
})

test.for(files.filter(({ path }) => /^plugins\/[^/]+\/(?:plugin|mcp)\.json$/.test(path)))(
  '$path follows the schema of Agent Plugins 1.0.0',
  ({ path, text }) => {
    const name = path.endsWith('/mcp.json') ? 'mcp' : 'plugin'
    const schema = JSON.parse(
      readFileSync(`test/plugins/agent-plugins-1.0.0-${name}.schema.json`, 'utf8'),
    )
    const validator = new Validator(schema, '2020-12')
    expect(validator.validate(JSON.parse(text)).errors).toEqual([])
    expect(validator.validate({ ...JSON.parse(text), unknown: 1 }).valid).toBe(false)
  },
)

test('all forms of a plugin start the same server, of the version of its package', () => {
  for (const app of ['docs-mcp', 'code-mcp', 'aggregator-mcp']) {
    const [agent, plain] = ['mcp.json', '.mcp.json'].map(
      (name) => JSON.parse(readFileSync(`plugins/${app}/${name}`, 'utf8')).mcpServers,
    )
    const { name, version } = JSON.parse(readFileSync(`apps/${app}/package.json`, 'utf8'))
    expect(Object.keys(agent)).toEqual(Object.keys(plain))
    const [server] = Object.keys(plain)
    const { command, args } = agent[`${server}`]
    expect(plain[`${server}`]).toEqual({ command, args })
    expect([command, ...args]).toEqual(['npx', '-y', `${name}@${version}`])
  }
})

test('what a manifest or a marketplace refers to is there', () => {
  for (const { path, text } of files.filter(({ path }) => path.endsWith('.json'))) {
    const isMarketplace = path.endsWith('marketplace.json')
    const base = isMarketplace ? '.' : join(dirname(path), '..')
    const references = text.match(/"\.\/[^"]+"/g)?.map((quoted) => JSON.parse(quoted)) ?? []
    if (isMarketplace) expect(references.length).toBe(3)
    expect(references.filter((reference) => !existsSync(join(base, reference)))).toEqual([])
  }
})

test('every skill says what it is not for', () => {
  for (const { path, text } of files.filter(({ path }) => path.endsWith('SKILL.md')))
    expect(text, path).toMatch(/Do not use (?:it|them|these) /)
})
