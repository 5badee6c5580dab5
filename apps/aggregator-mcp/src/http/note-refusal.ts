import type { Journal } from '@pith-mcp/aggregator'
import type { Refusal } from '@pith-mcp/door'

/** Writes into the journal who was not let in. */
export const noteRefusals =
  (journal: Journal) =>
  ({ reason, status, method, path, address, who, count }: Refusal): void => {
    const parts = [
      `${reason}:`,
      method,
      path,
      address && `from ${address}`,
      who && `(${who})`,
      status > 0 && `answered ${status}`,
      count > 1 && `and ${count - 1} more like it`,
    ]
    const said = parts.filter(Boolean).join(' ').slice(0, 300)
    const time = new Date().toISOString()
    journal.write({ time, kind: 'event', outcome: 'refused', said, reason, count })
  }
