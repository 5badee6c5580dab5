// Copy the version of each server's package.json into its entry for the MCP Registry, and into the
// manifests of its plugins.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

for (const app of readdirSync('apps')) {
  const { version, description, mcpName } = read(`apps/${app}/package.json`)
  change(`apps/${app}/server.json`, (server) => {
    const packages = server.packages.map((entry) => ({ ...entry, version }))
    return { ...server, name: mcpName, description, version, packages }
  })
  for (const form of ['', '.claude-plugin/', '.cursor-plugin/', '.codex-plugin/'])
    change(`plugins/${app}/${form}plugin.json`, (plugin) => ({ ...plugin, version }))
  for (const file of ['mcp.json', '.mcp.json'])
    change(`plugins/${app}/${file}`, ({ mcpServers, ...rest }) => {
      const [[name, server]] = Object.entries(mcpServers)
      const args = ['-y', `@pith-mcp/${app}@${version}`]
      return { ...rest, mcpServers: { [name]: { ...server, args } } }
    })
  for (const folder of ['.claude-plugin', '.github/plugin'])
    change(`${folder}/marketplace.json`, ({ plugins, ...rest }) => ({
      ...rest,
      plugins: plugins.map((entry) => (entry.name === app ? { ...entry, version } : entry)),
    }))
}

function change(path, next) {
  writeFileSync(path, `${JSON.stringify(next(read(path)), undefined, 2)}\n`)
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
