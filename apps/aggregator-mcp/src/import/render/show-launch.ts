import { addressOf } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import { countOf } from '../../text-of.ts'

/** Programs whose first argument is another program. */
const runners = new Set(
  'npx npm pnpm bunx bun yarn uvx uv node deno python python3 pipx docker podman cmd'.split(' '),
)

/** Words before that program. */
const runnerWords = /^(?:-y|--yes|-i|--rm|-m|run|exec|dlx|tool|x|\/c|npx)$/

const programName = /^(?:@[\w.-]+\/)?[\w./~-]{1,60}(?:@[\w.^~-]{1,20})?$/

/** How a server is started or reached. Arguments may be secrets, so they are only counted. */
export function showLaunch(entry: Table): string {
  const address = addressOf(entry)
  const launch = address === undefined ? showCommand(entry) : showAddress(address, entry['type'])
  const details = ['env', 'headers'].flatMap((key) => {
    const names = Object.keys((entry[key] ?? {}) as object)
    return names.length === 0 ? [] : [`${key} ${names.join(', ')}`]
  })
  const isOff = entry['disabled'] === true || entry['enabled'] === false
  const rules = ['allow', 'deny'].flatMap((key) =>
    Array.isArray(entry[key]) ? [`${key} ${countOf(entry[key].length, 'tool')}`] : [],
  )
  return [
    launch,
    ...details,
    ...rules,
    ...(entry['oauth'] ? ['oauth'] : []),
    ...(isOff ? ['off'] : []),
  ].join('; ')
}

function showCommand(entry: Table): string {
  const command = String(entry['command'])
  const [first = ''] = command.split(/\s/, 1)
  const args = Array.isArray(entry['args']) ? entry['args'].map(String) : []
  const shown = [/^(?:\/|[A-Z]:\\)[^=]*$/i.test(command) ? command : first]
  if (runners.has(command.replace(/\.(?:cmd|exe)$/, ''))) {
    const program = args.findIndex((arg) => !runnerWords.test(arg))
    const end =
      programName.test(args[program] ?? '') && !args[program]?.startsWith('-')
        ? program + 1
        : program
    shown.push(...args.slice(0, end < 0 ? args.length : end))
  }
  const rest = args.length - shown.length + 1
  return rest > 0 ? `${shown.join(' ')} (+${countOf(rest, 'argument')})` : shown.join(' ')
}

function showAddress(address: string, type: unknown): string {
  const plain = address.replace(/\$\{[^}]*\}/g, 'variable')
  const isPlain = URL.canParse(plain) && !/^\$\{/.test(address)
  const host = isPlain
    ? `${new URL(plain).protocol}//${new URL(plain).host}`
    : 'a URL with variables'
  return `${type === 'sse' ? 'sse' : 'http'} ${host}`
}
