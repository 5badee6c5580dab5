import type { Service } from '../../../../packages/docs/test/sites/loopback-service.ts'
import type { RowText } from '../../../../test/compat-table.ts'
import type { Connection } from './connect.ts'

/** A line, and the calls that prove it. */
export interface Row extends RowText {
  check(connection: Connection, service: Service): Promise<void>
}
