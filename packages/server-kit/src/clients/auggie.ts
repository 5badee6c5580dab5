import { join } from 'node:path'
import { type Client, stdioEntry, usual } from './entries/client.ts'
import { serverRules } from './entries/rules.ts'

const path = ['.augment', 'settings.json']

export const auggie: Client = {
  name: 'auggie',
  title: 'Auggie',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
  entry: stdioEntry,
  rules: serverRules,
  commands: ['auggie'],
  skills: ['.augment/skills', '.augment/skills'],
}
