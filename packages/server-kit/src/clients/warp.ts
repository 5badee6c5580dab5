import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { dropped, serverRules, text } from './entries/rules.ts'

const path = ['.warp', '.mcp.json']

export const warp: Client = {
  name: 'warp',
  title: 'Warp',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
  rules: {
    ...serverRules,
    working_directory: (value, _, context) => text(value, 'cwd', context),
    start_on_launch: dropped,
  },
  commands: ['warp-terminal', 'warp'],
  skills: ['.warp/skills', '.warp/skills'],
  rulesIn: ['AGENTS.md'],
}
