// Copy the version of each server's package.json into its entry for the MCP Registry.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

for (const app of readdirSync('apps')) {
  const { version, description, mcpName } = read(`apps/${app}/package.json`)
  const path = `apps/${app}/server.json`
  const server = read(path)
  const packages = server.packages.map((entry) => ({ ...entry, version }))
  const named = { ...server, name: mcpName, description, version, packages }
  writeFileSync(path, `${JSON.stringify(named, undefined, 2)}\n`)
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
