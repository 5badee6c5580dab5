import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { gemini } from './gemini.ts'

const path = ['.qwen', 'settings.json']

/** A fork of Gemini CLI. */
export const qwen: Client = {
  ...gemini,
  name: 'qwen',
  title: 'Qwen Code',
  infoName: 'qwen-cli-mcp-client',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
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
