import { McpServer } from '@modelcontextprotocol/server'
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { version } from '../version.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp skills FOLDER

Serve the skills of a folder as an MCP server over stdio: each subfolder with a SKILL.md is one.
Configure it as a server: {"command": "aggregator-mcp", "args": ["skills", "FOLDER"]}. Skills with
symbolic links, with over 512 files or over 16 MiB are left out, which stderr says. Restart the
server after a change.`,
  options: {},
  async run({ words, log }) {
    const [folder, ...rest] = words
    if (folder === undefined || rest.length > 0)
      throw new UsageError('skills needs one folder: aggregator-mcp skills FOLDER.')
    const skills = await loadSkills(folder, {
      onWarning: ({ path, message }) => log(`${path}: ${message}`),
    }).catch((error: Error) => {
      throw new UsageError(`The skills of ${folder} cannot be read: ${error.message}`)
    })
    if (skills.entries.length === 0) log(`${folder} has no folder with a SKILL.md.`)
    await new Promise<void>((resolve) => {
      const create = () => {
        const server = new McpServer({ name: 'skills', version })
        skills.attach(server)
        return server
      }
      const handle = serveStdio(create, { onerror: (error) => log(error.message) })
      const end = () => void handle.close().then(resolve)
      for (const event of ['end', 'close'] as const) process.stdin.once(event, end)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
    })
    return 0
  },
}
