import type { Added } from './add-server.ts'
import { clients } from './clients/clients.ts'

/** What was done, for who asked for it. */
export function describeAdded({ client, name, path, text, change, backup }: Added): string {
  if (change === 'printed') return `${path}\n\n${text}`
  if (change === 'there') return `${path} has the server ${name} already.`
  const kept = backup === undefined ? '' : ` The file as it was: ${backup}`
  return `${path}: ${change} ${name}.${kept}\nRestart ${clients[client].title} to use it.`
}
