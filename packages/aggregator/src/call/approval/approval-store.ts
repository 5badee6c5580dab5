import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { attempt } from '#base/attempt'
import { withLock } from '#base/replace-file'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { reasonOf, type Seal } from '#servers/secrets/seal'
import { type Approval, approval } from './approval.ts'

/**
 * Stores approvals by key, also for other processes. `edit` gets what is stored, under a lock;
 * undefined deletes it, and what it throws changes nothing. Durable when `change` resolves.
 */
export interface ApprovalStore {
  all(): Promise<readonly Approval[]>
  change(key: string, edit: EditApproval): Promise<Approval | undefined>
  /** Differs after each change. Cheap. */
  version(): unknown
}

type EditApproval = (current: Approval | undefined) => Approval | undefined

/** In this process only. */
export function createMemoryApprovalStore(): ApprovalStore {
  const approvals = new Map<string, Approval>()
  let version = 0
  return {
    version: () => version,
    all: async () => [...approvals.values()],
    async change(key, edit) {
      const current = approvals.get(key)
      const next = edit(current)
      if (next !== current) version++
      if (next === undefined) approvals.delete(key)
      else approvals.set(key, next)
      return next
    },
  }
}

const approvalFile = z.record(z.string(), approval)

const unreadable = (problem: string): AggregatorError =>
  new AggregatorError(
    'approvals_unreadable',
    `${problem}: no call can be approved. Nothing was called.`,
    'An operator must remove it, and approve again what it had.',
  )

/**
 * One file, which is sealed: what another program wrote into it approves nothing.
 * @throws {AggregatorError} `approvals_unreadable`: no call is taken for approved then
 */
export function createFileApprovalStore(path: string, seal: Seal): ApprovalStore {
  const name = basename(path)
  function read(): Map<string, Approval> {
    try {
      // Reading alone creates no key.
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return new Map()
      const content = seal.open(name, () => readFileSync(path, 'utf8'))
      return new Map(Object.entries(approvalFile.parse(content)))
    } catch (error) {
      // Of the key of the seal, too.
      const { code, path: file = path } = error as NodeJS.ErrnoException
      if (code !== undefined) throw unreadable(`${file} cannot be read (${code})`)
      throw unreadable(`${path} cannot be used (${reasonOf(error)})`)
    }
  }
  return {
    version: () => attempt(() => statSync(path).mtimeMs, 0),
    all: async () => [...read().values()],
    async change(key, edit) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      return withLock(path, () => {
        const approvals = read()
        const current = approvals.get(key)
        const next = edit(current)
        if (next === current) return next
        if (next === undefined) approvals.delete(key)
        else approvals.set(key, next)
        seal.write(path, name, Object.fromEntries(approvals))
        return next
      })
    },
  }
}
