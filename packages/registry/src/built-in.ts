import { readReply } from './registry-entry.ts'

/** Reference servers of the MCP project, which no registry has. Names of a registry have a slash. */
// biome-ignore format: a table has one line for each server.
const servers = [
  ['everything', 'npm', '@modelcontextprotocol/server-everything', 'Exercises every feature of the protocol, to test clients'],
  ['fetch', 'pypi', 'mcp-server-fetch', 'Fetches web pages as Markdown'],
  ['filesystem', 'npm', '@modelcontextprotocol/server-filesystem', 'Reads and writes files in the folders that you name'],
  ['git', 'pypi', 'mcp-server-git', 'Reads, searches and changes a Git repository'],
  ['memory', 'npm', '@modelcontextprotocol/server-memory', 'Keeps a knowledge graph between conversations'],
  ['sequentialthinking', 'npm', '@modelcontextprotocol/server-sequential-thinking', 'Records thoughts step by step'],
  ['time', 'pypi', 'mcp-server-time', 'Tells the time, and converts time zones'],
] as const

const folder = {
  type: 'positional',
  valueHint: 'folder',
  format: 'filepath',
  isRequired: true,
  isRepeated: true,
  description: 'Folder that it may use',
}
const repository = {
  type: 'named',
  name: '--repository',
  format: 'filepath',
  description: 'Folder of the repository',
}
const packageArguments: Record<string, object[]> = { filesystem: [folder], git: [repository] }

export const builtIn = readReply(
  servers.map(([name, registryType, identifier, description]) => ({
    name,
    description,
    packages: [{ registryType, identifier, packageArguments: packageArguments[name] }],
  })),
).entries
