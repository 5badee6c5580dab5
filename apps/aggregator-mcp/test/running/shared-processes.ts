import { readdirSync, readFileSync } from 'node:fs'
import { attempt } from '@pith-mcp/base/attempt'

/** Ids of the shared processes with their sockets in this folder. Linux only. */
export const sharedProcesses = (runtime: string): number[] =>
  readdirSync('/proc').flatMap((pid) => {
    const words = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0')
    const isOurs = words.includes('serve-shared') && words.some((word) => word.startsWith(runtime))
    return isOurs ? [Number(pid)] : []
  })
