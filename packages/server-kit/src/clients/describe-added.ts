import type { AddResult } from './add-server.ts'

/** Describes the result for the user. */
export function describeAdded({ client, name, path, text, change, backup }: AddResult): string {
  if (change === 'printed') return `${path}\n\n${text}`
  if (change === 'there') return `${path} already has the server ${name}.`
  const kept = backup === undefined ? '' : ` The previous file is ${backup}.`
  return `${path}: ${change} ${name}.${kept}\nRestart ${client.title} to use it.`
}
