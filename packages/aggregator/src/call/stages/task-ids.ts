import { randomBytes } from 'node:crypto'
import { ownedBy, withoutReplica } from '../../protocol/handles.ts'
import type { Task } from '../../protocol/tasks.ts'
import type { Unit } from '../../protocol/unit.ts'
import { encrypt, keyLength, open } from '../../upstream/oauth/encrypt.ts'

/** Which task of which server an id of ours stands for. */
export interface TaskAddress {
  server: Unit
  tool: string
  taskId: string
}

export type TaskIds = ReturnType<typeof createTaskIds>

/**
 * Ids of tasks for clients: sealed, so that they cannot be guessed, and only for the client that
 * made the call. They end with this process.
 */
export function createTaskIds(replica?: string, key: Buffer = randomBytes(keyLength)) {
  return {
    /** The result that a client gets instead of that of the call. */
    sealed(
      task: Task,
      { server: { name, account }, tool }: Omit<TaskAddress, 'taskId'>,
      owner: string,
    ) {
      const address = JSON.stringify({ server: { name, account }, tool, taskId: task.taskId })
      const taskId = ownedBy(replica, encrypt(address, key, purposeOf(owner)))
      return { ...task, resultType: 'task', taskId }
    },
    /** Undefined for an id that is not of this client and process. */
    open(id: unknown, owner: string): TaskAddress | undefined {
      try {
        return JSON.parse(open(withoutReplica(String(id)), key, purposeOf(owner)))
      } catch {
        return undefined
      }
    },
  }
}

const purposeOf = (owner: string): string => `task of ${owner}`
