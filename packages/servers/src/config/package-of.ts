import type { ServerConfig } from './server-config.ts'

/** Commands that run what their first argument names. */
const runners = /^(?:npx|bunx|pnpm|yarn|bun|deno|node|uvx|uv|pipx|python[\d.]*)$/
const isWord = (argument: string): boolean => !/^-|^(?:run|dlx|exec|tool|-m)$/.test(argument)

/** The package, command or host that a server is from. */
export function packageOf(unit: ServerConfig): string {
  if (unit.type !== 'stdio') return new URL(unit.url).host
  const command = unit.command.replace(/^.*[\\/]|\.(?:exe|cmd)$/g, '')
  // Flags of containers have values of their own.
  if (/^(?:docker|podman)$/.test(command)) return unit.args.join(' ')
  const program = runners.test(command) ? unit.args.find(isWord) : undefined
  const [, installed] =
    /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(program ?? '') ?? []
  return installed?.replace('\\', '/') ?? program?.replace(/(?<=.)@[^/]*$/, '') ?? command
}
