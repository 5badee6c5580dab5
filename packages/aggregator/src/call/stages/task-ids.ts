import type { ServerAccount } from '#servers/protocol/server-account'
import type { Task } from '#servers/protocol/tasks'
import { createSealedHandles } from './sealed-handles.ts'

/** Which task of which server an id of ours stands for. */
export interface TaskAddress {
  server: ServerAccount
  tool: string
  taskId: string
}

export type TaskIds = ReturnType<typeof createTaskIds>

/** Ids of tasks for clients, sealed for the one that made the call. */
export function createTaskIds(replica?: string, key?: Buffer) {
  const handles = createSealedHandles('task', replica, key)
  return {
    /** The result that a client gets instead of that of the call. */
    sealed(
      task: Task,
      { server: { name, account }, tool }: Omit<TaskAddress, 'taskId'>,
      owner: string,
    ) {
      const address = JSON.stringify({ server: { name, account }, tool, taskId: task.taskId })
      return { ...task, resultType: 'task', taskId: handles.seal(address, owner) }
    },
    /** Undefined for an id that is not of this client and process. */
    open(id: unknown, owner: string): TaskAddress | undefined {
      const address = handles.open(String(id), owner)
      return address === undefined ? undefined : JSON.parse(address)
    },
  }
}
