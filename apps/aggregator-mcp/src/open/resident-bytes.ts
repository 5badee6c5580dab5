import { readFileSync } from 'node:fs'
import { attempt } from '@pith-mcp/base/attempt'

const maxProcesses = 100

/**
 * Resident memory of a process and its children, which a shell or sandbox may have started; what
 * they share counts once for each. Undefined where there is no /proc.
 */
export function residentBytes(pid: number): number | undefined {
  const pids = [pid]
  let bytes: number | undefined
  for (const id of pids) {
    const [status, children] = ['status', `task/${id}/children`].map((name) =>
      attempt(() => readFileSync(`/proc/${id}/${name}`, 'utf8'), ''),
    )
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(status ?? '') ?? []
    if (kilobytes !== undefined) bytes = (bytes ?? 0) + Number(kilobytes) * 1_024
    const more = children?.split(' ').filter(Boolean).map(Number) ?? []
    pids.push(...more.slice(0, maxProcesses - pids.length))
  }
  return bytes
}
