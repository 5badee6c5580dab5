import type { Journal } from '@pith-mcp/aggregator'
import type { Rejection } from '@pith-mcp/server-kit'

/** Writes rejected requests to the journal. */
export const logRejections =
  (journal: Journal) =>
  ({ reason, status, method, path, address, principal, count }: Rejection): void => {
    const parts = [
      `${reason}:`,
      method,
      path,
      address && `from ${address}`,
      principal && `(${principal})`,
      status > 0 && `answered ${status}`,
      count > 1 && `and ${count - 1} more like it`,
    ]
    const message = parts.filter(Boolean).join(' ').slice(0, 300)
    const time = new Date().toISOString()
    void journal.write({ time, kind: 'event', outcome: 'rejected', message, reason, count })
  }
