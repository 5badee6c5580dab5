import { type Client, usualIn } from './entries/client.ts'
import { dropped, serverRules, text } from './entries/rules.ts'

export const warp: Client = {
  name: 'warp',
  title: 'Warp',
  ...usualIn('mcpServers', '.warp', '.mcp.json'),
  rules: {
    ...serverRules,
    working_directory: (value, _, context) => text(value, 'cwd', context),
    start_on_launch: dropped,
  },
  commands: ['warp-terminal', 'warp'],
  skills: ['.warp/skills', '.warp/skills'],
  rulesIn: ['AGENTS.md'],
}
