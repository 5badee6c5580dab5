import { allClients, type Client, findClient } from '@pith-mcp/server-kit/clients'

const first = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf']

/** In order: if two clients use one name for different servers, the first one keeps it. */
export const clientsInOrder: readonly Client[] = [
  ...first.flatMap((name) => findClient(name) ?? []),
  ...allClients.filter(({ name }) => !first.includes(name)),
]
