import { expect, test } from 'vitest'
import { remedies } from '../src/open/open-aggregator.ts'

test('remedies name the commands of this program', () => {
  expect(remedies.signIn('notes@work')).toBe('Run "aggregator-mcp login notes@work".')
  expect(remedies.approveTool('notes', 'search')).toContain('"aggregator-mcp pin"')
  expect(remedies.startServer('notes')).toBe('Start notes again in the console.')
})

test('a model never reads the command that approves a tool', () => {
  expect(remedies.approveTool('notes', 'search')).not.toContain('approve notes')
  expect(remedies.approveTool('notes', 'search')).not.toContain('pin approve')
})
