import type { Table } from '@pith-mcp/setup/files'
import { isSameServer } from '../entry/same-server.ts'
import type { PlannedServer } from './plan.ts'

/** A name that our files may have: names become parts of tools' names and of file names. */
export function validName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_. -]+/g, '-').replace(/^[^a-zA-Z0-9]+/, '')
  return plain.slice(0, 60).trimEnd() || 'server'
}

/** Gives each server its name among those there are. What is the same is one. */
export function createNames(existing: Readonly<Record<string, unknown>>) {
  // Small and capital letters are one in names of files.
  const taken = new Map<string, { name: string; entry: unknown; isNew: boolean }>()
  for (const [name, entry] of Object.entries(existing))
    taken.set(name.toLowerCase(), { name, entry, isNew: false })
  return (from: string, entry: Table, client: string): Pick<PlannedServer, 'name' | 'fate'> => {
    const plain = validName(from)
    for (let count = 0; ; count++) {
      const suffix = count === 0 ? '' : count === 1 ? `-${client}` : `-${client}-${count}`
      const name = plain.slice(0, 60 - suffix.length) + suffix
      const known = taken.get(name.toLowerCase())
      if (known === undefined) {
        taken.set(name.toLowerCase(), { name, entry, isNew: true })
        return { name, fate: 'new' }
      }
      if (isSameServer(known.entry, entry))
        return { name: known.name, fate: known.isNew ? 'same' : 'there' }
    }
  }
}
