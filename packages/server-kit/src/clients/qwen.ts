import { join } from 'node:path'
import { type Client, usualIn } from './entries/client.ts'
import { gemini } from './gemini.ts'

/** A fork of Gemini CLI. */
export const qwen: Client = {
  ...gemini,
  name: 'qwen',
  title: 'Qwen Code',
  infoName: 'qwen-cli-mcp-client',
  ...usualIn('mcpServers', '.qwen', 'settings.json'),
  passesVariables: true,
  dialect: gemini.dialect,
  otherFiles: () => ({}),
  complete: (entry, context) => ({
    ...(entry['url'] !== undefined && entry['type'] === undefined && { type: 'sse' }),
    ...gemini.complete?.(entry, context),
  }),
  commands: ['qwen'],
  traces: ({ home }) => [join(home, '.qwen')],
  skills: ['.qwen/skills', '.qwen/skills'],
  rulesIn: ['QWEN.md', '.qwen/QWEN.md'],
}
