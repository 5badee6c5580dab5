import { readFileSync } from 'node:fs'
import { guide as useManyTools } from '../../apps/aggregator-mcp/src/clients/guide.ts'
import { guide as readCode } from '../../apps/code-mcp/src/cli/guide.ts'
import { guide as readDocs } from '../../apps/docs-mcp/src/cli/guide.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it.
const dataFolder = '${PLUGIN_DATA}'

/** What the plugins of all clients are made of. `name` is that of the server in a client. */
const plugins = [
  {
    app: 'docs-mcp',
    name: 'docs',
    title: 'Pith docs',
    guide: readDocs,
    keywords: ['documentation', 'search', 'context'],
    // Only Agent Plugins have a folder that outlives an update.
    env: { DOCS_MCP_CACHE: `${dataFolder}/cache` },
  },
  // Without a folder, it serves what the client has open, and never a plugin's own folder.
  {
    app: 'code-mcp',
    name: 'code',
    title: 'Pith code',
    guide: readCode,
    keywords: ['code', 'functions', 'context'],
    env: { CODE_MCP_CACHE: `${dataFolder}/cache` },
  },
  // Its configuration and state stay in the home folder, which commands in a shell use as well.
  {
    app: 'aggregator-mcp',
    name: 'tools',
    title: 'Pith tools',
    guide: useManyTools,
    keywords: ['mcp', 'aggregator', 'context'],
    env: undefined,
  },
] as const

const author = { name: 'Pith', url: 'https://github.com/pith-mcp/pith' }
const schema = (name: string) => `https://agent-plugins.org/schemas/1.0.0/${name}.schema.json`

interface Manifest {
  version: string
  description: string
  license: string
  homepage: string
}

/** The files of the plugins and marketplaces, from the root of the repository. */
export function pluginFiles(): Map<string, string> {
  const files = new Map<string, string>()
  const addJson = (path: string, value: unknown) =>
    files.set(path, `${JSON.stringify(value, undefined, 2)}\n`)
  const entries = plugins.map(({ app, name, title, guide, keywords, env }) => {
    const manifest = JSON.parse(readFileSync(`apps/${app}/package.json`, 'utf8')) as Manifest
    const { version, description, license, homepage } = manifest
    const folder = `plugins/${app}`
    const facts = { name: app, version, description, author, homepage, license, keywords }
    const launch = { command: 'npx', args: ['-y', `@pith-mcp/${app}@${version}`] }
    const server = { type: 'stdio', ...launch, ...(env && { env }) }
    addJson(`${folder}/plugin.json`, { $schema: schema('plugin'), ...facts })
    addJson(`${folder}/mcp.json`, { $schema: schema('mcp'), mcpServers: { [name]: server } })
    addJson(`${folder}/.mcp.json`, { mcpServers: { [name]: launch } })
    addJson(`${folder}/.claude-plugin/plugin.json`, facts)
    addJson(`${folder}/.cursor-plugin/plugin.json`, {
      ...facts,
      displayName: title,
      skills: './skills/',
      mcpServers: './.mcp.json',
    })
    addJson(`${folder}/.codex-plugin/plugin.json`, {
      ...facts,
      skills: './skills/',
      mcpServers: './.mcp.json',
      interface: {
        displayName: title,
        shortDescription: description,
        longDescription: guide.description,
        developerName: author.name,
        category: 'Developer Tools',
        websiteURL: homepage,
      },
    })
    const head = `---\nname: ${guide.name}\ndescription: ${guide.description}\n---`
    files.set(`${folder}/skills/${guide.name}/SKILL.md`, `${head}\n\n${guide.text}\n`)
    return { name: app, source: `./${folder}`, description, version }
  })
  const marketplace = { name: 'pith', owner: author, plugins: entries }
  addJson('.claude-plugin/marketplace.json', marketplace)
  addJson('.github/plugin/marketplace.json', marketplace)
  addJson('.agents/plugins/marketplace.json', {
    name: 'pith',
    interface: { displayName: 'Pith' },
    plugins: entries.map(({ name, source }) => ({
      name,
      source: { source: 'local', path: source },
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Developer Tools',
    })),
  })
  return files
}
