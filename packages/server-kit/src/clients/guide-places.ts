import { join } from 'node:path'
import type { Client } from './entries/client.ts'
import type { HostEnvironment, Scope } from './locations/location.ts'

/** Folder of skills and file of rules, in a project and of the user; paths below either. */
interface Places {
  skills: readonly [folder: string, user: string]
  rules: readonly [folder: string, user?: string]
}

/** As the clients' documentation has them in November 2026. Other clients have neither. */
const places: Readonly<Record<string, Places>> = {
  'claude-code': {
    skills: ['.claude/skills', '.claude/skills'],
    rules: ['CLAUDE.md', '.claude/CLAUDE.md'],
  },
  codex: { skills: ['.agents/skills', '.agents/skills'], rules: ['AGENTS.md', '.codex/AGENTS.md'] },
  cursor: { skills: ['.cursor/skills', '.cursor/skills'], rules: ['AGENTS.md'] },
  vscode: { skills: ['.github/skills', '.copilot/skills'], rules: ['AGENTS.md'] },
  gemini: {
    skills: ['.gemini/skills', '.gemini/skills'],
    rules: ['GEMINI.md', '.gemini/GEMINI.md'],
  },
  opencode: {
    skills: ['.opencode/skills', '.config/opencode/skills'],
    rules: ['AGENTS.md', '.config/opencode/AGENTS.md'],
  },
}

/** Where a client reads skills and rules; undefined if it has no such place in the scope. */
export function guidePlaces(
  { name }: Client,
  scope: Scope,
  { cwd, home }: HostEnvironment,
): Record<keyof Places, string | undefined> {
  const { skills, rules } = places[name] ?? {}
  const at = scope === 'folder' ? 0 : 1
  const below = (path: string | undefined) =>
    path && join(scope === 'folder' ? cwd : home, ...path.split('/'))
  return { skills: below(skills?.[at]), rules: below(rules?.[at]) }
}
