import { oncePer } from '../protocol/once-per.ts'
import type { ServerConfig } from './server-config.ts'

/** Commands that run what their first argument names. */
const runners = /^(?:npx|bunx|pnpm|yarn|bun|deno|node|uvx|uv|pipx|python[\d.]*)$/
const isWord = (argument: string): boolean => !/^-|^(?:run|dlx|exec|tool|-m)$/.test(argument)

const installed = 'node_modules/'

/** The package, command or host that a server is from. */
export const packageOf = oncePer((unit: ServerConfig): string => {
  if (unit.type !== 'stdio') return new URL(unit.url).host
  const command = unit.command.replace(/^.*[\\/]|\.(?:exe|cmd)$/g, '')
  // Flags of containers have values of their own.
  if (/^(?:docker|podman)$/.test(command)) return unit.args.join(' ')
  const program = runners.test(command) ? unit.args.find(isWord) : undefined
  const path = program?.replaceAll('\\', '/') ?? ''
  const at = path.lastIndexOf(installed)
  if (at === -1) return program?.replace(/(?<=.)@[^/]*$/, '') ?? command
  const [scope = '', name = ''] = path.slice(at + installed.length).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
})
