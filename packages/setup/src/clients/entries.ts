import type { Table } from '../files/table.ts'
import type { Launch } from '../launch.ts'

/** As most clients write it. */
export const plainEntry = ({ command, args }: Launch): Table => ({ command, args: [...args] })

/** With the transport said. */
export const stdioEntry = (launch: Launch): Table => ({ type: 'stdio', ...plainEntry(launch) })
